package io.gpusched.internal.index;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What sets of nodes a pod may go to, whatever they have free: by class, cordon, labels, resources by name and rules. Not thread-safe. */
final class NodeSets {
    final HardwareSets hardware;
    private final Bitmap cordoned;
    private final LabelSets labels;
    private final ResourceSets resources;

    NodeSets(NodeSlots nodes) {
        hardware = new HardwareSets(nodes);
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
            labels.changed(slot, before, after);
            cordoned.set(slot, after != null && after.isCordoned());
        }
    }

    /** Returns the conditions on nodes whose class and cordon admit any of these pods. */
    List<NodeCondition> hardware(Collection<PodDemand> demands) {
        List<NodeCondition> conditions = new ArrayList<>(2);
        NodeCondition admitting = hardware.admitting(demands);
        if (admitting != null) {
            conditions.add(admitting);
        }
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

    private void addLabels(NodeSelector selector, List<NodeCondition> conditions) {
        NodeCondition selected = labels.of(selector);
        if (selected != null) {
            conditions.add(selected);
        }
    }

    /** Returns the conditions on nodes for a pod. */
    List<NodeCondition> of(PodDemand demand) {
        List<NodeCondition> conditions = hardware(List.of(demand));
        addLabels(demand.pod().nodeSelector(), conditions);
        if (demand.rules() != null) {
            addLabels(demand.rules().within(), conditions);
            for (NodeRequirement requirement : demand.rules().requirements()) {
                conditions.add(labels.of(requirement));
            }
        }
        resources.addConditions(demand.resources().named(), conditions);
        return conditions;
    }
}
