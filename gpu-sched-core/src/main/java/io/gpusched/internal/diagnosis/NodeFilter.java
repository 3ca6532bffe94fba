package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
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
    /** What it may take to see whether the release of one pod is enough. */
    private static final long STEPS_FOR_ONE = 500;

    private static final Set<Code> WHERE = EnumSet.of(Code.NODE_NAME, Code.GROUP_LOCALITY);
    private static final Set<Code> PORTS = EnumSet.of(Code.HOST_PORT);
    private static final Set<Code> AFTER_ROOM =
            EnumSet.of(Code.TOPOLOGY_SPREAD, Code.POD_AFFINITY, Code.POD_ANTI_AFFINITY);

    private static final PodId PROBE = new PodId("gpu-sched", "probe");

    private final PodDemand demand;

    /** The request for GPUs alone. */
    private final PodDemand bare;

    private final StaticFilter machine;
    private final LayoutSteps steps;

    /** Whether it is known that no node has a place, so that the containers cannot be laid out where nothing else is in the way. */
    private final boolean isProven;

    private final boolean toleratesCordon;
    private final Reference2ObjectOpenHashMap<NodeClass, Optional<Code>> byClass = new Reference2ObjectOpenHashMap<>();

    /** The node on which the containers were laid out last, and what came of it. */
    private @Nullable NodeState lastNode;

    private Code lastLayout = Code.GROUP;

    NodeFilter(PodDemand demand, boolean isProven, SearchSteps steps) {
        this.demand = demand;
        this.isProven = isProven && demand.rules() == null;
        this.steps = new LayoutSteps(steps, demand);
        this.bare = new PodDemand(withoutResources(demand.pod()));
        this.machine = new StaticFilter(demand, this.steps);
        this.toleratesCordon = Taints.isCordonTolerated(demand.pod().tolerations());
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

    /** Returns what keeps the request away from a node, or {@link Code#GROUP} if it fits. */
    Code of(NodeState node) {
        Code where = ofRules(node, WHERE);
        if (where != null) {
            return where;
        }
        if (isCordoned(node)) {
            return Code.CORDONED;
        }
        if (!toleratesTaints(node)) {
            return Code.TAINT;
        }
        if (!acceptsLabels(node)) {
            return Code.NODE_SELECTOR;
        }
        if (!meets(node, PORTS)) {
            return Code.HOST_PORT;
        }
        Code room = ofRoom(node);
        Code rule = room == Code.GROUP ? ofRules(node, AFTER_ROOM) : null;
        return rule == null ? room : rule;
    }

    /** Whether the node is cordoned, which the pod does not tolerate. */
    boolean isCordoned(NodeState node) {
        return node.isCordoned() && !toleratesCordon;
    }

    boolean toleratesTaints(NodeState node) {
        return demand.tolerates(node.node().taints());
    }

    boolean acceptsLabels(NodeState node) {
        return demand.acceptsLabels(node.node());
    }

    private boolean meets(NodeState node, Set<Code> codes) {
        return ofRules(node, codes) == null;
    }

    private @Nullable Code ofRules(NodeState node, Set<Code> codes) {
        RuleSet rules = demand.rules();
        return rules == null ? null : rules.refusal(node.node(), codes);
    }

    /** Returns what about the machine or what runs there keeps the request away, or {@link Code#GROUP}. */
    Code ofRoom(NodeState node) {
        Code forGood = ofMachine(node);
        return forGood == null ? ofState(node) : forGood;
    }

    /** What about the machine itself keeps the request away for good, whatever runs there, or null. */
    private @Nullable Code ofMachine(NodeState node) {
        Code forGood = demand.looksAtUuids()
                ? machine.of(node.nodeClass(), node.node().gpus(), node.node().capacity())
                : ofClass(node.nodeClass());
        if (forGood != null && forGood != Code.GPU_TOO_SMALL) {
            return forGood;
        }
        return demand.resources().fitsIn(node.capacity()) ? forGood : Code.NODE_TOO_SMALL;
    }

    private @Nullable Code ofClass(NodeClass nodeClass) {
        Optional<Code> known = byClass.get(nodeClass);
        if (known == null) {
            known = Optional.ofNullable(machine.of(nodeClass, nodeClass.gpus(), nodeClass.capacity()));
            byClass.put(nodeClass, known);
        }
        return known.orElse(null);
    }

    /** Whether the machine could hold the request once other pods come or leave and it is open and healthy, its labels and taints aside. */
    boolean mayHold(NodeState node) {
        return meets(node, WHERE) && ofMachine(node) == null;
    }

    /** Whether no rule between pods keeps the request away. */
    boolean meetsRules(NodeState node) {
        RuleSet rules = demand.rules();
        return rules == null || rules.admits(node.node());
    }

    private Code ofState(NodeState node) {
        boolean asksGpus = !demand.gpuContainers().isEmpty();
        if (asksGpus && !node.isHealthy() && !machine.fitsHealthy(node)) {
            return Code.GPU_UNHEALTHY;
        }
        if (node.isHeldWhole()) {
            return Code.HELD_WHOLE;
        }
        if (node.podCount() >= node.node().maxPods()) {
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
        for (GpuRequest request : machine.requests()) {
            if (Long.bitCount(NodeFit.fitting(request, node)) < request.count()) {
                if (GpuTake.isWhole(request)) {
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

    @SuppressWarnings("ReferenceEquality") // the same node, asked about twice in turn
    private Code ofLayout(NodeState node) {
        if (node != lastNode) {
            lastNode = node;
            lastLayout = switch (steps.fits(some -> fitsGpus(node, some))) {
                case YES -> Code.GROUP;
                case NO -> Code.GPU_LAYOUT;
                case UNKNOWN -> isProven ? Code.GPU_LAYOUT : Code.SEARCH_LIMIT;
            };
        }
        return lastLayout;
    }

    /** Whether the containers are known to go onto the node's GPUs together, whatever CPU and memory are left. */
    boolean fitsGpus(NodeState node) {
        return fitsGpus(node, SearchSteps.of(STEPS_FOR_ONE));
    }

    private boolean fitsGpus(NodeState node, SearchSteps allowed) {
        return !node.isHeldWhole()
                && node.podCount() < node.node().maxPods()
                && LayoutSearch.fitsGpus(bare, node, allowed);
    }
}
