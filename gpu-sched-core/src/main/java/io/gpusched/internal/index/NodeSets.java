package io.gpusched.internal.index;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What sets of nodes a pod may go to, whatever they have free: by hardware, taints, cordon, labels, resources by name and rules. Not thread-safe. */
final class NodeSets {
    private static final int MOST_SPECS = 64;

    /** This many names are followed; each costs a look for every node that changes. */
    private static final int MOST_NAMES = 16;

    private final NodeSlots nodes;

    final HardwareSets hardware;
    private final TaintSets taints;
    private final Bitmap cordoned;
    private final LabelSets labels;

    /** The nodes that have anything free of a resource counted by name, for the names asked for last. */
    private final Map<String, Bitmap> having = new LatestMap<>(MOST_NAMES);

    /** Of the specs asked for last the conditions that hold until a machine changes. */
    private final Map<PodSpec, NodeCondition[]> conditions = new LatestMap<>(MOST_SPECS);

    NodeSets(NodeSlots nodes) {
        hardware = new HardwareSets(nodes);
        taints = new TaintSets(nodes);
        cordoned = new Bitmap(nodes.capacity());
        labels = new LabelSets(nodes);
        this.nodes = nodes;
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        if (!having.isEmpty()) {
            having.forEach((name, some) -> some.set(slot, after != null && after.free(name) > 0));
        }
        if (before == null || after == null || before.node() != after.node()) {
            conditions.clear();
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

    /** Returns the conditions on nodes for a pod. O(n) for a resource by name that was not asked for lately. */
    NodeCondition[] of(PodDemand demand) {
        boolean isOfSpec = demand.rules() == null
                && demand.avoided() == PodDemand.ANY
                && demand.resources().named().isEmpty();
        return isOfSpec ? conditions.computeIfAbsent(demand.pod().spec(), spec -> found(demand)) : found(demand);
    }

    private NodeCondition[] found(PodDemand demand) {
        List<NodeCondition> found = hardware(List.of(demand));
        addUnlessAll(labels.of(demand.pod().nodeSelector()), found);
        if (demand.rules() != null) {
            addUnlessAll(labels.of(demand.rules().within()), found);
            for (NodeRequirement requirement : demand.rules().requirements()) {
                found.add(labels.of(requirement));
            }
        }
        List<String> names = demand.resources().named().names();
        for (int i = 0; i < names.size() && i < MOST_NAMES; i++) {
            found.add(NodeCondition.in(
                    having.computeIfAbsent(names.get(i), name -> nodes.where(node -> node.free(name) > 0))));
        }
        return found.toArray(NodeCondition[]::new);
    }
}
