package io.gpusched.internal.index;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What sets of nodes a pod may go to, whatever they have free: by hardware, taints, cordon, labels, resources by name and rules. Not thread-safe. */
final class NodeSets {
    final HardwareSets hardware;
    private final TaintSets taints;
    private final Bitmap cordoned;
    private final LabelSets labels;
    private final ResourceSets resources;

    NodeSets(NodeSlots nodes) {
        hardware = new HardwareSets(nodes);
        taints = new TaintSets(nodes);
        cordoned = new Bitmap(nodes.capacity());
        labels = new LabelSets(nodes);
        resources = new ResourceSets(nodes);
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        resources.changed(slot, after);
        if (before == null || after == null || before.node() != after.node()) {
            hardware.changed(slot, before, after);
            taints.changed(slot, before, after);
            labels.changed(slot, before, after);
            cordoned.set(slot, after != null && after.isCordoned());
        }
    }

    /** Returns the conditions on nodes whose hardware, taints and cordon each admit any of these pods. */
    List<NodeCondition> hardware(Collection<PodDemand> demands) {
        List<NodeCondition> conditions = new ArrayList<>(3);
        addUnlessAll(hardware.admitting(demands), conditions);
        addUnlessAll(taints.admitting(demands), conditions);
        if (cordoned.size() > 0 && !tolerateCordon(demands)) {
            conditions.add(NodeCondition.notIn(cordoned));
        }
        return conditions;
    }

    private static boolean tolerateCordon(Collection<PodDemand> demands) {
        for (PodDemand demand : demands) {
            if (Taints.isCordonTolerated(demand.pod().tolerations())) {
                return true;
            }
        }
        return false;
    }

    private static void addUnlessAll(@Nullable NodeCondition condition, List<NodeCondition> conditions) {
        if (condition != null) {
            conditions.add(condition);
        }
    }

    /** Returns the conditions on nodes for a pod. */
    List<NodeCondition> of(PodDemand demand) {
        List<NodeCondition> conditions = hardware(List.of(demand));
        addUnlessAll(labels.of(demand.pod().nodeSelector()), conditions);
        if (demand.rules() != null) {
            addUnlessAll(labels.of(demand.rules().within()), conditions);
            for (NodeRequirement requirement : demand.rules().requirements()) {
                conditions.add(labels.of(requirement));
            }
        }
        resources.addConditions(demand.resources().named(), conditions);
        return conditions;
    }
}
