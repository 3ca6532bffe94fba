package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuKind;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what {@link io.gpusched.policy.BinPack} scores highest, for pods of at most one GPU container, by asking the
 * cluster's tree for one kind of room after another, the tightest first.
 */
public final class TreeSearch {
    private final ClassWalk walk;
    private final PodDemand demand;

    public TreeSearch(Cluster cluster, PodDemand demand, NodeRange range) {
        this(ClusterIndex.of(cluster).classes(), demand, range);
    }

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     */
    TreeSearch(List<? extends NodeIndex> trees, PodDemand demand, NodeRange range) {
        this.walk = new ClassWalk(trees, demand, range);
        this.demand = demand;
    }

    /** Lets this search be cut short once so many nodes lacked what the pod asks for by name. */
    TreeSearch passingAtMost(long nodes) {
        walk.passAtMost(nodes);
        return this;
    }

    /** Whether too many nodes had to be passed by, so that what was returned says nothing. */
    boolean isCutShort() {
        return walk.isCutShort();
    }

    /** Whether this search finds what scores highest: for one container whose choice of GPUs on a node is simple. */
    public static boolean canServe(Cluster cluster, PodDemand demand) {
        GpuRequest single = demand.single();
        return single != null
                && PartitionFit.mostAsked(demand) <= 1
                && !needsLayout(demand)
                && !mixesLevels(cluster, single);
    }

    /** Whether the choice of GPUs on a node is more than taking the lowest indexes that fit. */
    private static boolean needsLayout(PodDemand demand) {
        return demand.mostGpus() > 1 && (demand.needsShares() || !demand.countsDecide());
    }

    /**
     * Whether the share takes memory alone, but none on some GPUs because so little of their memory rounds down to
     * nothing: bin-pack then weighs memory on the one GPU against compute on the other.
     */
    private static boolean mixesLevels(Cluster cluster, GpuRequest share) {
        if (share.computeMillis() > 0 || !(share.memory() instanceof GpuMemory.Percent)) {
            return false;
        }
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            if (nodes.nodeClass().isMixed()) {
                return true;
            }
            for (GpuKind kind : nodes.nodeClass().gpuKinds()) {
                if (share.memory().on(kind.sample().memoryMib()) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the best placement, or null if no node has room. The demand must be one it {@link #canServe}.
     *
     * @param steps told where the choice of GPUs on the node was cut short
     */
    @Nullable
    public Placement tightest(SearchSteps steps) {
        GpuRequest request = demand.single();
        GpuRequest.Partition partition = demand.singlePartition();
        if (partition != null) {
            return new OnePartitionSearch(walk, partition).tightest();
        }
        if (request == null || request.isNone()) {
            NodeState node = walk.firstByIdleGpus(0, any -> true);
            return node == null ? null : Layout.single(demand, node, 0);
        }
        if (request.takesPart()) {
            return new ShareSearch(walk, request).tightest();
        }
        return request.takesNode() ? wholeNode(request) : exclusive(request, steps);
    }

    private @Nullable Placement exclusive(GpuRequest request, SearchSteps steps) {
        int count = request.count();
        NodeState node = walk.firstByIdleGpus(
                count, candidate -> Long.bitCount(NodeFit.idleAccepted(request, candidate)) >= count);
        if (node == null) {
            return null;
        }
        return Layout.single(demand, node, NodeFit.choose(request, node, NodeFit.idleAccepted(request, node), steps));
    }

    private @Nullable Placement wholeNode(GpuRequest request) {
        CapacityQuery query = CapacityQuery.emptyNode(demand.resources());
        for (int gpus = nextGpuCount(0); gpus > 0; gpus = nextGpuCount(gpus)) {
            int count = gpus;
            NodeState node = walk.first(
                    query,
                    candidate -> candidate.gpuCount() == count && NodeFit.canTakeWhole(request, candidate),
                    nodeClass -> nodeClass.gpus().size() == count);
            if (node != null) {
                return Layout.single(demand, node, 0);
            }
        }
        return null;
    }

    /**
     * Returns the first nodes, up to {@code most}, that whole-node pods of this shape would take one after the other;
     * one walk over the tree for each class and number of GPUs.
     */
    public List<NodeState> emptyNodes(int most) {
        List<NodeState> found = new ArrayList<>();
        GpuRequest request = demand.gpuContainers().get(0).gpu();
        for (int gpus = nextGpuCount(0); gpus > 0 && found.size() < most; gpus = nextGpuCount(gpus)) {
            List<NodeState> alike = new ArrayList<>();
            for (int i = 0; i < walk.size(); i++) {
                if (walk.mayTake(i) && walk.nodeClass(i).gpus().size() == gpus) {
                    walk.addFirst(
                            i,
                            CapacityQuery.emptyNode(demand.resources()),
                            most - found.size(),
                            node -> NodeFit.canTakeWhole(request, node),
                            alike);
                }
            }
            alike.sort(Comparator.comparingLong(NodeAccess::order));
            found.addAll(alike.subList(0, Math.min(alike.size(), most - found.size())));
        }
        return found;
    }

    /** The least number of GPUs above this one that nodes of any class have, or 0. */
    private int nextGpuCount(int above) {
        int next = 0;
        for (int i = 0; i < walk.size(); i++) {
            int gpus = walk.nodeClass(i).gpus().size();
            next = walk.mayTake(i) && gpus > above && (next == 0 || gpus < next) ? gpus : next;
        }
        return next;
    }
}
