package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rank.Occupancy;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says of one node after the other what keeps a request away: the first {@link Code} that applies, {@link Code#GROUP} if
 * nothing does. What does not depend on what runs is worked out once for each class of nodes. Not thread-safe.
 */
final class NodeFilter {
    /** What a node may cost at least, however many were looked at before. */
    private static final long LEAST_STEPS = 500;

    private static final Set<Code> NAME = EnumSet.of(Code.NODE_NAME);
    private static final Set<Code> PORTS = EnumSet.of(Code.HOST_PORT);
    private static final Set<Code> AFTER_ROOM =
            EnumSet.of(Code.TOPOLOGY_SPREAD, Code.POD_AFFINITY, Code.POD_ANTI_AFFINITY);

    private static final PodId PROBE = new PodId("gpu-sched", "probe");

    private final PodDemand demand;

    /** The request for GPUs alone. */
    private final PodDemand bare;

    private final StaticFilter machine;
    private final SearchSteps steps;
    private final Reference2ObjectOpenHashMap<NodeClass, Optional<Code>> byClass = new Reference2ObjectOpenHashMap<>();

    /** The class asked for last, most likely that of the next node too, and what {@link #fixed} says of it. */
    private @Nullable NodeClass lastClass;

    private @Nullable Code lastFixed;

    private final Object2ObjectOpenCustomHashMap<NodeState, Code> layouts =
            new Object2ObjectOpenCustomHashMap<>(Occupancy.STRATEGY);

    /** Whether the pod selects nodes by their labels. */
    private final boolean selects;

    NodeFilter(PodDemand demand, SearchSteps steps) {
        this.demand = demand;
        this.steps = steps;
        this.bare = new PodDemand(withoutResources(demand.pod()));
        this.machine = new StaticFilter(demand, steps);
        this.selects = !demand.pod().nodeSelector().terms().isEmpty();
    }

    private static Pod withoutResources(Pod pod) {
        List<Container> bare = new ArrayList<>();
        for (Container container : pod.containers()) {
            bare.add(new Container(container.name(), container.kind(), Resources.NONE, container.gpu()));
        }
        return new Pod(PROBE, bare, pod.nodeSelector(), pod.tolerations());
    }

    PodDemand demand() {
        return demand;
    }

    StaticFilter machine() {
        return machine;
    }

    /** Returns what keeps the request away from every node of a class for good, or null if nodes have to be asked. */
    @Nullable
    Code ofWholeClass(NodeClass nodeClass) {
        if (nodeClass.isMixed() || demand.rules() != null || selects) {
            return null;
        }
        Code code = fixed(nodeClass);
        return demand.looksAtUuids() && code != Code.TAINT || code == Code.GPU_TOO_SMALL ? null : code;
    }

    /** Returns what keeps the request away from a node, or {@link Code#GROUP} if it fits. */
    Code of(NodeState node) {
        Code first = ofRules(node, NAME);
        if (first != null) {
            return first;
        }
        if (node.isCordoned()) {
            return Code.CORDONED;
        }
        if (fixed(node.nodeClass()) == Code.TAINT) {
            return Code.TAINT;
        }
        if (!acceptsLabels(node)) {
            return Code.NODE_SELECTOR;
        }
        Code port = ofRules(node, PORTS);
        if (port != null) {
            return port;
        }
        Code room = ofRoom(node);
        Code rule = room == Code.GROUP ? ofRules(node, AFTER_ROOM) : null;
        return rule == null ? room : rule;
    }

    private boolean acceptsLabels(NodeState node) {
        return !selects || demand.acceptsLabels(node.node());
    }

    private @Nullable Code ofRules(NodeState node, Set<Code> codes) {
        RuleSet rules = demand.rules();
        return rules == null ? null : rules.refusal(node.node(), codes);
    }

    private Code ofRoom(NodeState node) {
        Code forGood = ofMachine(node);
        return forGood == null ? ofState(node) : forGood;
    }

    /** What about the machine itself keeps the request away for good, whatever runs there, or null. */
    private @Nullable Code ofMachine(NodeState node) {
        Code forGood = demand.looksAtUuids()
                ? machine.of(node.nodeClass(), node.node().gpus(), node.node().capacity())
                : fixed(node.nodeClass());
        if (forGood != null && forGood != Code.GPU_TOO_SMALL) {
            return forGood;
        }
        return isShort(node) && !fitsInMachine(node) ? Code.NODE_TOO_SMALL : forGood;
    }

    /**
     * Whether a node could hold the request once other pods come or leave and it is open and healthy.
     *
     * @param code what {@link #of} says of the node, a reason that may pass
     */
    boolean mayHoldLater(NodeState node, Code code) {
        // those that come later are said only of machines that would do
        return code.compareTo(Code.HOST_PORT) > 0
                || ofRules(node, NAME) == null
                        && fixed(node.nodeClass()) != Code.TAINT
                        && acceptsLabels(node)
                        && ofMachine(node) == null;
    }

    /** Whether no rule between pods keeps the request away. */
    boolean meetsRules(NodeState node) {
        RuleSet rules = demand.rules();
        return rules == null || rules.admits(node.node());
    }

    private boolean isShort(NodeState node) {
        return demand.resources().cpuMillis() > node.freeCpuMillis()
                || demand.resources().memoryMib() > node.freeMemoryMib()
                || !NodeFit.hasNamed(demand, node);
    }

    private boolean fitsInMachine(NodeState node) {
        return demand.resources().fitsIn(node.capacity());
    }

    /** What keeps the request away from all nodes of a class for good, their labels aside, or null. */
    @SuppressWarnings("ReferenceEquality") // equal classes of one snapshot are one object
    private @Nullable Code fixed(NodeClass nodeClass) {
        if (nodeClass != lastClass) {
            lastFixed = known(nodeClass);
            lastClass = nodeClass;
        }
        return lastFixed;
    }

    private @Nullable Code known(NodeClass nodeClass) {
        Optional<Code> known = byClass.get(nodeClass);
        if (known == null) {
            known = Optional.ofNullable(machine.of(nodeClass, nodeClass.gpus(), nodeClass.capacity()));
            byClass.put(nodeClass, known);
        }
        return known.orElse(null);
    }

    private Code ofState(NodeState node) {
        boolean asksGpus = !demand.gpuContainers().isEmpty();
        if (asksGpus && !node.isHealthy() && !machine.fitsHealthy(node)) {
            return Code.GPU_UNHEALTHY;
        }
        if (node.isHeldWhole()) {
            return Code.HELD_WHOLE;
        }
        if (node.podCount() >= node.nodeClass().maxPods()) {
            return Code.POD_LIMIT;
        }
        if (demand.wholeNode() && !node.isEmpty()) {
            return Code.NOT_EMPTY;
        }
        if (demand.resources().cpuMillis() > node.freeCpuMillis()) {
            return Code.CPU;
        }
        if (demand.resources().memoryMib() > node.freeMemoryMib()) {
            return Code.MEMORY;
        }
        if (!NodeFit.hasNamed(demand, node)) {
            return Code.RESOURCE;
        }
        return asksGpus ? ofGpus(node) : Code.GROUP;
    }

    /** Returns what about the GPUs' present use keeps the request away, or {@link Code#GROUP}. */
    Code ofGpus(NodeState node) {
        if (node.idleGpus() < machine.ordinaryWhole()) {
            return Code.IDLE_GPUS;
        }
        if (demand.needsPartitions() && !PartitionFit.hasRoom(demand, node)) {
            return Code.PARTITION;
        }
        boolean sharesFit = true;
        List<Container> containers = demand.gpuContainers();
        for (int i = 0; i < containers.size(); i++) {
            GpuRequest request = containers.get(i).gpu();
            if (Long.bitCount(NodeFit.fitting(request, node)) < request.count()) {
                if (request.takesWhole()) {
                    return Code.IDLE_GPUS;
                }
                sharesFit = false;
            }
        }
        if (!sharesFit) {
            return Code.GPU_SHARE;
        }
        return demand.countsDecide() ? Code.GROUP : ofLayout(node);
    }

    private Code ofLayout(NodeState node) {
        if (demand.looksAtUuids()) {
            return layout(node);
        }
        Code known = layouts.get(node);
        if (known == null) {
            known = layout(node);
            layouts.put(node, known);
        }
        return known;
    }

    private Code layout(NodeState node) {
        long allowed = Math.max(LEAST_STEPS, steps.left() / 8);
        SearchSteps mine = SearchSteps.of(allowed);
        boolean fits = fitsGpus(node, mine);
        steps.spend(allowed, mine);
        return fits ? Code.GROUP : mine.isReached() ? Code.SEARCH_LIMIT : Code.GPU_LAYOUT;
    }

    /** Whether the containers are known to go onto the node's GPUs together, whatever CPU and memory are left. */
    boolean fitsGpus(NodeState node) {
        return fitsGpus(node, SearchSteps.of(LEAST_STEPS));
    }

    private boolean fitsGpus(NodeState node, SearchSteps allowed) {
        return !node.isHeldWhole()
                && node.podCount() < node.nodeClass().maxPods()
                && LayoutSearch.fitsGpus(bare, node, allowed);
    }
}
