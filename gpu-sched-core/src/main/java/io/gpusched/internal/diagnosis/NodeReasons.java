package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says of one node after the other what keeps a request away: the first {@link Code} that applies, {@link Code#GROUP} if
 * nothing does. It asks the {@linkplain FitRule rule of what fits}, and beyond that only what takes a search for a layout: whether the
 * containers go together onto an empty machine, onto its healthy devices, and onto what is free. What does not depend on what runs is
 * worked out once for each class of nodes. Not thread-safe.
 */
final class NodeReasons {
    /** What it may take to see whether the release of one pod is enough. */
    private static final long STEPS_FOR_ONE = 500;

    private static final PodId PROBE = new PodId("gpu-sched", "probe");

    private final PodDemand demand;

    /** The request for GPUs alone. */
    private final PodDemand bare;

    private final LayoutSteps steps;

    /** Whether it is known that no node has a place, so that the containers cannot be laid out where nothing else is in the way. */
    private final boolean isProven;

    private final IdentityHashMap<NodeClass, Optional<Code>> byClass = new IdentityHashMap<>();

    /** The node on which the containers were laid out last, and what came of it. */
    private @Nullable NodeState lastNode;

    private Code lastLayout = Code.GROUP;

    NodeReasons(PodDemand demand, boolean isProven, SearchSteps steps) {
        this.demand = demand;
        this.isProven = isProven && demand.rules() == null;
        this.steps = new LayoutSteps(steps, demand);
        this.bare = new PodDemand(withoutResources(demand.pod()));
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

    /** Returns what keeps the request away from a node, or {@link Code#GROUP} if it fits. */
    Code of(NodeState node) {
        Code where = FitRule.ofNode(demand, node);
        if (FitRule.isCordoned(demand, node) && (where == null || where.compareTo(Code.CORDONED) > 0)) {
            return Code.CORDONED;
        }
        if (where != null && where.compareTo(Code.HOST_PORT) <= 0) {
            return where;
        }
        Code room = ofRoom(node);
        return room == Code.GROUP && where != null ? where : room;
    }

    boolean toleratesTaints(NodeState node) {
        return demand.tolerates(node.node().taints());
    }

    boolean acceptsLabels(NodeState node) {
        return demand.acceptsLabels(node.node());
    }

    /** Returns what about the machine or what runs there keeps the request away, its cordon aside, or {@link Code#GROUP}. */
    Code ofRoom(NodeState node) {
        Code forGood = ofMachine(node);
        if (forGood != null) {
            return forGood;
        }
        if (!fitsHealthy(node)) {
            return Code.GPU_UNHEALTHY;
        }
        Code now = FitRule.ofState(demand, node);
        if (now != null && now != Code.CORDONED) {
            return now;
        }
        return demand.gpuContainers().isEmpty() ? Code.GROUP : ofGpus(node);
    }

    /** What about the machine itself keeps the request away for good, whatever runs there, or null. */
    private @Nullable Code ofMachine(NodeState node) {
        Code forGood = demand.looksAtUuids() ? ofMachineAlone(node) : ofClass(node);
        if (forGood != null && forGood != Code.GPU_TOO_SMALL) {
            return forGood;
        }
        return demand.resources().fitsIn(node.capacity()) ? forGood : Code.NODE_TOO_SMALL;
    }

    private @Nullable Code ofClass(NodeState node) {
        return byClass.computeIfAbsent(node.nodeClass(), any -> Optional.ofNullable(ofMachineAlone(node)))
                .orElse(null);
    }

    private @Nullable Code ofMachineAlone(NodeState node) {
        Code rule =
                demand.looksAtUuids() ? FitRule.ofMachine(demand, node) : FitRule.ofMachine(demand, node.nodeClass());
        boolean isOpen =
                rule != null || demand.countsDecide() || demand.gpuContainers().isEmpty();
        return isOpen
                        || fitsAlone(
                                node,
                                node.node().gpus().stream()
                                        .map(gpu -> gpu.withHealthy(true))
                                        .toList())
                ? rule
                : Code.GPU_TOO_SMALL;
    }

    /** Whether the healthy ones among a node's GPUs would do if nothing ran there. */
    boolean fitsHealthy(NodeState node) {
        return node.isHealthy()
                || FitRule.ofHealth(demand, node) == null
                        && (demand.countsDecide()
                                || demand.gpuContainers().isEmpty()
                                || fitsAlone(node, node.node().gpus()));
    }

    /** Whether the request fits on such a machine if nothing ran there; yes where the steps do not tell. */
    private boolean fitsAlone(NodeState node, List<Gpu> gpus) {
        NodeClass nodeClass = node.nodeClass();
        Node.Builder machine = Node.builder("empty")
                .mode(nodeClass.mode())
                .capacity(demand.resources())
                .maxPods(1);
        gpus.forEach(machine::gpu);
        machine.links(nodeClass.links());
        NodeState empty = Cluster.of(List.of(machine.build())).node(0);
        return steps.fits(some -> LayoutSearch.best(demand, empty, FirstFit.of(), some) != null)
                != LayoutSteps.Answer.NO;
    }

    /** Whether the machine could hold the request once other pods come or leave and it is open and healthy, its labels and taints aside. */
    boolean mayHold(NodeState node) {
        Code rule = refusal(node);
        return (rule == null || rule.compareTo(Code.GROUP_LOCALITY) > 0) && ofMachine(node) == null;
    }

    /** Whether no rule between pods keeps the request away. */
    boolean meetsRules(NodeState node) {
        return refusal(node) == null;
    }

    private @Nullable Code refusal(NodeState node) {
        RuleSet rules = demand.rules();
        return rules == null ? null : rules.refusal(node.node());
    }

    /** Returns what about the GPUs' present use keeps the request away, or {@link Code#GROUP}. */
    Code ofGpus(NodeState node) {
        Code each = FitRule.ofGpus(demand, node);
        return each != null ? each : demand.countsDecide() ? Code.GROUP : ofLayout(node);
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
