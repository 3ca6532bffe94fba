package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.ContainerSearch;
import io.gpusched.internal.fit.MachineExam;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.score.ShapeScores;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says of one node after the other what keeps a request away: the first {@link Code} that applies, {@link Code#GROUP} if
 * nothing does. What does not depend on what runs is worked out once for each class of nodes. Not thread-safe.
 */
public final class NodeExam {
    private static final PodId PROBE = new PodId("gpu-sched", "probe");

    private final PodDemand demand;

    /** The request for GPUs alone. */
    private final PodDemand bare;

    private final MachineExam machine;
    private final @Nullable Fixed[] byClass;
    private final Object2ObjectOpenCustomHashMap<NodeState, Code> layouts =
            new Object2ObjectOpenCustomHashMap<>(ShapeScores.BY_OCCUPANCY);

    /**
     * What a class says once for all its nodes.
     *
     * @param code what keeps the request away for good, or null
     * @param asksLabels whether each node's own labels have to be looked at
     */
    private record Fixed(@Nullable Code code, boolean asksLabels) {}

    public NodeExam(Cluster cluster, PodDemand demand) {
        this.demand = demand;
        this.bare = new PodDemand(withoutResources(demand.pod()), demand.allocations());
        this.machine = new MachineExam(demand);
        this.byClass = new Fixed[cluster.classes().size()];
    }

    private static Pod withoutResources(Pod pod) {
        List<Container> bare = new ArrayList<>();
        for (Container container : pod.containers()) {
            bare.add(new Container(container.name(), container.kind(), Resources.NONE, container.gpu()));
        }
        return new Pod(PROBE, bare, pod.nodeSelector(), pod.tolerations());
    }

    public PodDemand demand() {
        return demand;
    }

    public MachineExam machine() {
        return machine;
    }

    /** Returns what keeps the request away from every node of a class for good, or null if nodes have to be asked. */
    @Nullable
    public Code ofWholeClass(NodeClass nodeClass) {
        Fixed fixed = fixed(nodeClass);
        boolean perNode = fixed.asksLabels || demand.looksAtUuids() || fixed.code == Code.GPU_TOO_SMALL;
        return perNode && fixed.code != Code.NODE_SELECTOR ? null : fixed.code;
    }

    /** Returns what keeps the request away from a node, or {@link Code#GROUP} if it fits. */
    public Code of(NodeState node) {
        Fixed fixed = fixed(node.nodeClass());
        if (fixed.asksLabels && !Admission.admits(demand.pod(), node)) {
            return Code.NODE_SELECTOR;
        }
        Code forGood = demand.looksAtUuids() && fixed.code != Code.NODE_SELECTOR
                ? machine.of(node.nodeClass(), node.node().gpus(), node.node().capacity())
                : fixed.code;
        if (forGood != null && forGood != Code.GPU_TOO_SMALL) {
            return forGood;
        }
        if (isShort(node) && !fitsInMachine(node)) {
            return Code.NODE_TOO_SMALL;
        }
        return forGood != null ? forGood : ofState(node);
    }

    private boolean isShort(NodeState node) {
        return demand.resources().cpuMillis() > node.freeCpuMillis()
                || demand.resources().memoryMib() > node.freeMemoryMib();
    }

    /** Looks at the machine only where its class does not tell: at many nodes it lies far off in memory. */
    private boolean fitsInMachine(NodeState node) {
        return demand.resources().fitsIn(node.nodeClass().leastCapacity())
                || demand.resources().fitsIn(node.node().capacity());
    }

    private Fixed fixed(NodeClass nodeClass) {
        Fixed known = byClass[nodeClass.index()];
        if (known == null) {
            NodeSelector selector = demand.pod().nodeSelector();
            boolean decided = selector.terms().isEmpty() || Admission.decidesLabels(nodeClass, selector);
            Code code = decided && !selector.matches(nodeClass.labels())
                    ? Code.NODE_SELECTOR
                    : machine.of(nodeClass, nodeClass.gpus(), nodeClass.capacity());
            known = new Fixed(code, !decided);
            byClass[nodeClass.index()] = known;
        }
        return known;
    }

    private Code ofState(NodeState node) {
        boolean asksGpus = !demand.gpuContainers().isEmpty();
        if (node.isCordoned()) {
            return Code.CORDONED;
        }
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
        return asksGpus ? ofGpus(node) : Code.GROUP;
    }

    /** Returns what about the GPUs' present use keeps the request away, or {@link Code#GROUP}. */
    public Code ofGpus(NodeState node) {
        if (node.idleGpus() < machine.ordinaryWhole()) {
            return Code.IDLE_GPUS;
        }
        boolean sharesFit = true;
        List<Container> containers = demand.gpuContainers();
        for (int i = 0; i < containers.size(); i++) {
            GpuRequest request = containers.get(i).gpu();
            if (request instanceof GpuRequest.Share share) {
                sharesFit &= Long.bitCount(NodeFit.shareable(share, node)) >= share.count();
            } else if (Long.bitCount(NodeFit.idleAccepted(request, node)) < MachineExam.count(request)) {
                return Code.IDLE_GPUS;
            }
        }
        if (!sharesFit) {
            return Code.GPU_SHARE;
        }
        return MachineExam.countsDecide(demand) ? Code.GROUP : ofLayout(node);
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
        if (fitsGpus(node)) {
            return Code.GROUP;
        }
        return node.podCount() < node.nodeClass().maxPods() && ContainerSearch.reachesLimit(bare, node, FirstFit.of())
                ? Code.SEARCH_LIMIT
                : Code.GPU_LAYOUT;
    }

    /** Whether the containers can be laid out on the node's GPUs, whatever CPU and memory are left. */
    public boolean fitsGpus(NodeState node) {
        return !node.isHeldWhole()
                && node.podCount() < node.nodeClass().maxPods()
                && ContainerSearch.best(bare, node, FirstFit.of()) != null;
    }
}
