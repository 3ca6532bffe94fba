package io.gpusched.internal.select;

import io.gpusched.model.NodeClass;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by their first taint that forbids anything: a pod must tolerate that one, whatever else it has to. Not thread-safe.
 */
final class TaintIndex {
    /** By the key of the taint, and in a partition by its value. */
    private final Map<String, NodePartition> byKey = new HashMap<>();

    /** The nodes without such a taint. */
    private final NodeBucket free = new NodeBucket(new TreeCount(), LabelColumn.ABSENT);

    private static @Nullable Taint first(NodeClass nodeClass) {
        List<Taint> taints = nodeClass.taints();
        for (int i = 0; i < taints.size(); i++) {
            if (taints.get(i).effect().forbids()) {
                return taints.get(i);
            }
        }
        return null;
    }

    void add(KnownNode node, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        if (taint == null) {
            free.add(node);
        } else {
            byKey.computeIfAbsent(taint.key(), key -> new NodePartition()).add(node, taint.value());
        }
    }

    void remove(KnownNode node, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        NodePartition partition = taint == null ? null : byKey.get(taint.key());
        if (taint == null || partition == null) {
            free.remove(node);
            return;
        }
        partition.remove(node, taint.value());
        if (partition.present() == 0) {
            byKey.remove(taint.key());
        }
    }

    /** Takes note of a node in another state that has the same taints as before. */
    void note(NodeSpot before, NodeSpot after) {
        Taint taint = first(after.node().nodeClass());
        if (taint == null) {
            free.note(before, after);
            return;
        }
        NodePartition partition = byKey.get(taint.key());
        if (partition != null) {
            partition.note(before, after, taint.value());
        }
    }

    /** Returns the nodes without a taint that forbids anything. */
    NodeBucket free() {
        return free;
    }

    /** Returns nodes among which are all that have taints which are tolerated. */
    Selection select(List<Toleration> tolerations, Selection.Limits limits) {
        Selection all = new Selection(limits);
        for (int i = 0; i < tolerations.size() && !all.isTooMany(); i++) {
            Toleration toleration = tolerations.get(i);
            if (toleration.key().isEmpty()) {
                byKey.values().forEach(partition -> all.addAll(partition.present(limits)));
                continue;
            }
            NodePartition partition = byKey.get(toleration.key());
            if (partition != null) {
                String value = toleration.value().orElse(null);
                all.addAll(value == null ? partition.present(limits) : partition.in(List.of(value), limits));
            }
        }
        return all;
    }
}
