package io.gpusched.internal.select;

import io.gpusched.model.NodeClass;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
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
    private final NodeSet free = new NodeSet(LabelColumn.ABSENT);

    private static @Nullable Taint first(NodeClass nodeClass) {
        List<Taint> taints = nodeClass.taints();
        for (int i = 0; i < taints.size(); i++) {
            if (taints.get(i).effect().forbids()) {
                return taints.get(i);
            }
        }
        return null;
    }

    void add(int slot, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        if (taint == null) {
            free.add(slot);
        } else {
            byKey.computeIfAbsent(taint.key(), key -> new NodePartition()).add(slot, taint.value());
        }
    }

    void remove(int slot, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        NodePartition partition = taint == null ? null : byKey.get(taint.key());
        if (taint == null || partition == null) {
            free.remove(slot);
            return;
        }
        partition.remove(slot, taint.value());
        if (partition.present().size() == 0) {
            byKey.remove(taint.key());
        }
    }

    /** Returns nodes among which are all whose taints are tolerated. */
    Lead lead(List<Toleration> tolerations) {
        List<Lead> leads = new ArrayList<>(tolerations.size() + 1);
        leads.add(Lead.of(List.of(free)));
        for (Toleration toleration : tolerations) {
            if (toleration.key().isEmpty()) {
                byKey.values().forEach(partition -> leads.add(Lead.of(List.of(partition.present()))));
                continue;
            }
            NodePartition partition = byKey.get(toleration.key());
            if (partition != null) {
                String value = toleration.value().orElse(null);
                leads.add(value == null ? Lead.of(List.of(partition.present())) : partition.in(List.of(value)));
            }
        }
        return Lead.anyOf(leads);
    }
}
