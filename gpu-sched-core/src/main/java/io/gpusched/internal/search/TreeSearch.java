package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.access.PartitionAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.partition.PartitionStates;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.GpuKind;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds what {@link io.gpusched.policy.BinPack} scores highest, for pods of at most one GPU container, by asking the
 * cluster's tree for one kind of room after another, the tightest first.
 */
public final class TreeSearch {
    private final PodDemand demand;
    private final Resources resources;
    private final NodeRange range;

    private final @Nullable KeyFilter keys;
    private final List<ClassIndex> classes;

    /** Which of the classes could ever take the pod. */
    private final Admission.Verdict[] verdicts;

    public TreeSearch(Cluster cluster, PodDemand demand, NodeRange range) {
        this(ClusterIndex.of(cluster).classes(), null, demand, range);
    }

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     * @param keys what labels and taints admit; null if each node is to be asked
     */
    TreeSearch(List<ClassIndex> trees, @Nullable KeyFilter keys, PodDemand demand, NodeRange range) {
        this.keys = keys;
        this.demand = demand;
        this.resources = demand.resources();
        this.range = range;
        this.classes = trees;
        this.verdicts = new Admission.Verdict[classes.size()];
        for (int i = 0; i < verdicts.length; i++) {
            verdicts[i] = Admission.of(demand, classes.get(i).nodeClass());
        }
    }

    private boolean mayTake(int classIndex) {
        return verdicts[classIndex] != Admission.Verdict.NEVER;
    }

    /** Whether this search finds what scores highest: for one container whose choice of GPUs on a node is simple. */
    public static boolean canServe(Cluster cluster, PodDemand demand) {
        return demand.single() != null
                && !(demand.single() instanceof GpuRequest.Partition partition && partition.instances() > 1)
                && !needsLayout(demand)
                && !(demand.single() instanceof GpuRequest.Share share && mixesLevels(cluster, share));
    }

    /** Whether the choice of GPUs on a node is more than taking the lowest indexes that fit. */
    private static boolean needsLayout(PodDemand demand) {
        return demand.mostGpus() > 1
                && (demand.needsShares()
                        || demand.gpuContainers()
                                        .get(0)
                                        .gpu()
                                        .selector()
                                        .closeness()
                                        .required()
                                != Bond.NONE);
    }

    /**
     * Whether the share takes memory alone, but none on some GPUs because so little of their memory rounds down to
     * nothing: bin-pack then weighs memory on the one GPU against compute on the other.
     */
    private static boolean mixesLevels(Cluster cluster, GpuRequest.Share share) {
        if (share.computeMillis() > 0 || !(share.memory() instanceof GpuMemory.Percent)) {
            return false;
        }
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            if (NodeAccess.isMixed(nodes.nodeClass())) {
                return true;
            }
            for (GpuKind kind : NodeAccess.gpuKinds(nodes.nodeClass())) {
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
        if (request instanceof GpuRequest.Share share) {
            Placement shared = onSharedGpu(share);
            return shared != null ? shared : onIdleGpu(share);
        }
        if (request instanceof GpuRequest.Partition partition) {
            Placement cut = onCutGpu(partition);
            return cut != null ? cut : onUncutGpu(partition);
        }
        if (request == null || request.isNone()) {
            NodeState node = firstByIdleGpus(0, any -> true);
            return node == null ? null : Layout.single(demand, node, 0);
        }
        return request.takesNode() ? wholeNode(request) : exclusive(request, steps);
    }

    private @Nullable Placement exclusive(GpuRequest request, SearchSteps steps) {
        int count = request.count();
        NodeState node =
                firstByIdleGpus(count, candidate -> Long.bitCount(NodeFit.idleAccepted(request, candidate)) >= count);
        if (node == null) {
            return null;
        }
        return Layout.single(demand, node, NodeFit.choose(request, node, NodeFit.idleAccepted(request, node), steps));
    }

    private @Nullable Placement wholeNode(GpuRequest request) {
        CapacityQuery query = CapacityQuery.emptyNode(resources);
        for (int gpus = nextGpuCount(0); gpus > 0; gpus = nextGpuCount(gpus)) {
            int count = gpus;
            NodeState node = first(
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
        for (int gpus = nextGpuCount(0); gpus > 0 && found.size() < most; gpus = nextGpuCount(gpus)) {
            List<NodeState> alike = new ArrayList<>();
            for (int i = 0; i < classes.size(); i++) {
                if (mayTake(i) && classes.get(i).nodeClass().gpus().size() == gpus) {
                    addEmptyNodes(i, most - found.size(), alike);
                }
            }
            alike.sort(Comparator.comparingLong(NodeAccess::order));
            found.addAll(alike.subList(0, Math.min(alike.size(), most - found.size())));
        }
        return found;
    }

    private void addEmptyNodes(int classAt, int most, List<NodeState> found) {
        boolean ask = verdicts[classAt] == Admission.Verdict.ASK_NODES;
        GpuRequest request = demand.gpuContainers().get(0).gpu();
        int end = found.size() + most;
        classes.get(classAt).first(CapacityQuery.emptyNode(resources), range, node -> {
            if (admits(node, ask) && NodeFit.canTakeWhole(request, node)) {
                found.add(node);
            }
            return found.size() == end;
        });
    }

    /** The least number of GPUs above this one that nodes of any class have, or 0. */
    private int nextGpuCount(int above) {
        int next = 0;
        for (int i = 0; i < classes.size(); i++) {
            int gpus = classes.get(i).nodeClass().gpus().size();
            next = mayTake(i) && gpus > above && (next == 0 || gpus < next) ? gpus : next;
        }
        return next;
    }

    private @Nullable Placement onIdleGpu(GpuRequest.Share share) {
        NodeState node = firstByIdleGpus(1, candidate -> NodeFit.idleFitting(share, candidate) != 0);
        return node == null ? null : Layout.single(demand, node, Long.lowestOneBit(NodeFit.idleFitting(share, node)));
    }

    private @Nullable Placement onCutGpu(GpuRequest.Partition partition) {
        long open = 0;
        long[] levels = new long[classes.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = mayTake(i) ? levels(partition, classes.get(i).nodeClass()) : 0;
            open |= levels[i];
        }
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int level = Long.numberOfTrailingZeros(rest);
            NodeState node = firstCut(partition, level, levels);
            if (node != null) {
                return cut(partition, node, NodeAccess.cutMask(node), level);
            }
        }
        return null;
    }

    private @Nullable NodeState firstCut(GpuRequest.Partition partition, int level, long[] levels) {
        NodeState best = null;
        for (int i = 0; i < levels.length; i++) {
            if ((levels[i] >>> level & 1) != 0 && classes.get(i).mayHavePartitions(level)) {
                NodeRange open = best == null ? range : range.before(best);
                NodeState found = first(
                        i,
                        CapacityQuery.withPartitions(level, resources),
                        open,
                        node -> PartitionFit.hasRoomAt(partition, node, level));
                if (isCutShort()) {
                    return null;
                }
                best = found == null ? best : found;
            }
        }
        return best;
    }

    /** The levels of devices of a class on which one partition more fits, as a mask. */
    private static long levels(GpuRequest.Partition partition, NodeClass nodeClass) {
        if (NodeAccess.isMixed(nodeClass)) {
            return -1L >>> Long.SIZE - PartitionStates.LEVELS;
        }
        long levels = 0;
        List<GpuKind> kinds = NodeAccess.gpuKinds(nodeClass);
        for (int i = 0; i < kinds.size(); i++) {
            PartitionTable table = PartitionAccess.table(kinds.get(i).sample());
            int name = table == null ? -1 : table.name(partition.profile());
            levels |= table == null || name < 0 ? 0 : table.levels(name);
        }
        return levels;
    }

    private @Nullable Placement onUncutGpu(GpuRequest.Partition partition) {
        NodeState node = firstByIdleGpus(1, candidate -> NodeFit.idleFitting(partition, candidate) != 0);
        return node == null ? null : cut(partition, node, NodeAccess.idleMask(node), -1);
    }

    private @Nullable Placement cut(GpuRequest.Partition partition, NodeState node, long gpus, int level) {
        GpuPartition best = PartitionFit.best(partition, node, gpus, level);
        return best == null ? null : Layout.granted(demand, node, List.of(new GpuGrant.Partitions(List.of(best))));
    }

    private @Nullable NodeState firstByIdleGpus(int least, Predicate<NodeState> wanted) {
        int most = 0;
        for (int i = 0; i < classes.size(); i++) {
            most = mayTake(i) ? Math.max(most, classes.get(i).nodeClass().gpus().size()) : most;
        }
        for (int idle = least; idle <= most; idle++) {
            int exactly = idle;
            NodeState node = first(
                    CapacityQuery.withIdleGpus(idle, resources),
                    candidate -> candidate.idleGpus() == exactly && wanted.test(candidate),
                    nodeClass -> nodeClass.gpus().size() >= exactly);
            if (node != null) {
                return node;
            }
        }
        return null;
    }

    private @Nullable Placement onSharedGpu(GpuRequest.Share share) {
        boolean byCompute = share.computeMillis() > 0 || share.memory().on(Long.MAX_VALUE >>> 8) == 0;
        int[] leastLevels = leastLevels(share, byCompute);
        for (int level = nextLevel(0, leastLevels); level >= 0; level = nextLevel(level + 1, leastLevels)) {
            NodeFit.SharedLevel exactly = new NodeFit.SharedLevel(level, byCompute);
            CapacityQuery query = byCompute
                    ? CapacityQuery.withComputeLevel(level, resources)
                    : CapacityQuery.withMemoryLevel(level, resources);
            NodeState node =
                    first(query, candidate -> NodeFit.firstShared(share, candidate, exactly) >= 0, nodeClass -> true);
            if (node != null) {
                return Layout.single(demand, node, 1L << NodeFit.firstShared(share, node, exactly));
            }
        }
        return null;
    }

    /** The least level, at least this one, that any GPU of a class has left which could take the share; -1 if none has. */
    private int nextLevel(int from, int[] leastLevels) {
        int next = -1;
        for (int i = 0; i < classes.size(); i++) {
            if (!mayTake(i)) {
                continue;
            }
            int start = Math.max(from, leastLevels[i]);
            int level = classes.get(i).nextSharedLevel(start);
            next = level >= 0 && (next < 0 || level < next) ? level : next;
        }
        return next;
    }

    /** For each class the least level at which any of its GPUs could hold the share. */
    private int[] leastLevels(GpuRequest.Share share, boolean byCompute) {
        int[] levels = new int[classes.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = leastLevel(share, classes.get(i).nodeClass(), byCompute);
        }
        return levels;
    }

    /** The least level at which any GPU of the class could hold the share; 100 or more if none can. */
    private static int leastLevel(GpuRequest.Share share, NodeClass nodeClass, boolean byCompute) {
        long least = 100;
        List<GpuKind> kinds = NodeAccess.gpuKinds(nodeClass);
        for (int i = 0; i < kinds.size(); i++) {
            Gpu gpu = kinds.get(i).sample();
            long capacity = byCompute ? gpu.computeMillis() : gpu.memoryMib();
            long need = byCompute ? share.computeMillis() : share.memory().on(capacity);
            least = capacity == 0 ? least : Math.min(least, need * 100 / capacity);
        }
        return (int) least;
    }

    private @Nullable NodeState first(CapacityQuery query, Predicate<NodeState> wanted, Predicate<NodeClass> worth) {
        NodeState best = null;
        for (int i = 0; i < classes.size(); i++) {
            if (!mayTake(i) || !worth.test(classes.get(i).nodeClass())) {
                continue;
            }
            NodeRange open = best == null ? range : range.before(best);
            NodeState found = first(i, query, open, wanted);
            if (isCutShort()) {
                return null;
            }
            best = found == null ? best : found;
        }
        return best;
    }

    private @Nullable NodeState first(int classAt, CapacityQuery query, NodeRange open, Predicate<NodeState> wanted) {
        ClassIndex nodes = classes.get(classAt);
        KeyFilter filter = keys;
        if (filter != null) {
            return nodes.first(
                    query, open, filter, node -> filter.isUsedUp() || admits(node, false) && wanted.test(node));
        }
        boolean ask = verdicts[classAt] == Admission.Verdict.ASK_NODES;
        return nodes.first(query, open, node -> admits(node, ask) && wanted.test(node));
    }

    /** Whether the filter of keys was used up, so that what was returned says nothing. */
    boolean isCutShort() {
        return keys != null && keys.isUsedUp();
    }

    private boolean admits(NodeState node, boolean askLabels) {
        return resources.cpuMillis() <= node.freeCpuMillis()
                && resources.memoryMib() <= node.freeMemoryMib()
                && resources.named().fitsIn(node.freeNamed())
                && (!askLabels || Admission.admits(demand, node));
    }
}
