package io.gpusched.internal.select;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by their first taint that forbids anything: a pod must tolerate that one, whatever else it has to. Not thread-safe.
 */
final class TaintIndex {
    /** By the effect and the key of the taint, and in a partition by its value. */
    private final Map<Taint.Effect, Map<String, NodePartition>> byEffect = new EnumMap<>(Taint.Effect.class);

    /** The nodes without such a taint. */
    private final NodeSet free = new NodeSet(LabelColumn.ABSENT);

    /** The nodes with more than one. */
    private final SlotSet several = new SlotSet();

    private final SlotTable nodes;

    TaintIndex(SlotTable nodes) {
        this.nodes = nodes;
    }

    private static @Nullable Taint first(NodeClass nodeClass) {
        List<Taint> taints = nodeClass.taints();
        for (int i = 0; i < taints.size(); i++) {
            if (taints.get(i).effect().forbids()) {
                return taints.get(i);
            }
        }
        return null;
    }

    private static boolean hasSeveral(NodeClass nodeClass) {
        int count = 0;
        for (Taint taint : nodeClass.taints()) {
            count += taint.effect().forbids() ? 1 : 0;
        }
        return count > 1;
    }

    void add(int slot, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        if (taint == null) {
            free.add(slot);
            return;
        }
        byEffect.computeIfAbsent(taint.effect(), effect -> new HashMap<>())
                .computeIfAbsent(taint.key(), key -> new NodePartition())
                .add(slot, taint.value());
        if (hasSeveral(nodeClass)) {
            several.add(slot);
        }
    }

    void remove(int slot, NodeClass nodeClass) {
        Taint taint = first(nodeClass);
        if (taint == null) {
            free.remove(slot);
            return;
        }
        Map<String, NodePartition> byKey = byEffect.getOrDefault(taint.effect(), Map.of());
        NodePartition partition = byKey.get(taint.key());
        if (partition == null) {
            throw new IllegalStateException("no node is known to have the taint " + taint);
        }
        partition.remove(slot, taint.value());
        if (partition.present().size() == 0) {
            byKey.remove(taint.key());
        }
        several.remove(slot);
    }

    /** Returns nodes among which are all whose taints are tolerated; others of these have several. */
    Lead lead(List<Toleration> tolerations) {
        List<Lead> leads = new ArrayList<>(tolerations.size() + 1);
        leads.add(Lead.of(List.of(free)));
        for (Toleration toleration : tolerations) {
            byEffect.forEach((effect, byKey) -> {
                if (toleration.effect().isEmpty() || toleration.effect().get() == effect) {
                    addTo(leads, toleration, byKey);
                }
            });
        }
        return Lead.anyOf(leads);
    }

    private static void addTo(List<Lead> leads, Toleration toleration, Map<String, NodePartition> byKey) {
        if (toleration.key().isEmpty()) {
            byKey.values().forEach(partition -> leads.add(Lead.of(List.of(partition.present()))));
            return;
        }
        NodePartition partition = byKey.get(toleration.key());
        if (partition != null) {
            String value = toleration.value().orElse(null);
            leads.add(value == null ? Lead.of(List.of(partition.present())) : partition.in(List.of(value)));
        }
    }

    /**
     * Returns a test of taints, by slot; null if all nodes pass it.
     *
     * @param isLed whether all nodes that are tested are in the {@link #lead} of the pod's tolerations
     */
    @Nullable
    IntPredicate test(PodDemand demand, boolean isLed) {
        IntPredicate byNode =
                slot -> demand.acceptsTaints(nodes.state(slot).nodeClass().taints());
        if (demand.avoided() != PodDemand.ANY) {
            return byNode;
        }
        if (free.size() == nodes.size() || isLed && several.isEmpty()) {
            return null;
        }
        return isLed ? slot -> !several.contains(slot) || byNode.test(slot) : byNode;
    }
}
