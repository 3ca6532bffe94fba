package io.gpusched.policy;

import io.gpusched.internal.lookahead.FragmentTable;
import io.gpusched.internal.lookahead.HardwareMemo;
import io.gpusched.internal.lookahead.NodeChange;
import io.gpusched.internal.lookahead.NodeKind;
import io.gpusched.internal.lookahead.PartitionForecast;
import io.gpusched.internal.lookahead.RecentValues;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.List;
import java.util.Objects;

/**
 * Places a pod where it makes least of the idle GPU useless to what is usually asked: the fragmentation gradient of
 * "Beware of Fragmentation" (USENIX ATC 2023), in integers and with an eye to the CPU that GPUs will need.
 *
 * <p>For each typical demand, a node's idle compute is a fragment as far as a pod of that demand could not use it: all of
 * it if no such pod fits on the node (or the demand asks for no GPU), else the part on GPUs that have too little left. The
 * node's fragmentation is the mean over the demands, weighted by how often each is asked for; a placement is the better,
 * the more it lowers that, or the less it raises it.
 *
 * <p>Fragments alone look one pod ahead and so see too late that GPUs starve: that CPU runs out on a node whose GPUs
 * are still free, which is what keeps most of the GPUs idle in the end. So a tenth of the node's imbalance counts as
 * well: of the idle compute for which the node has no CPU left, or that free CPU would need in excess, by the node's
 * own proportion of the two. A node of 96 cores and 8 GPUs with 24 cores and 3 GPUs free has CPU for two, so its
 * imbalance is 1,000 milli, and it counts 100 milli more than its fragments. A factor of 0.05 or 0.8 instead of 0.1
 * allocates about as much. The paper's own score knows no imbalance; it has steps of about 40 milli and takes the first
 * node of a step in a random order. Here a share goes to the GPU that has least left, among equals.
 *
 * <p>A pod that takes hardware partitions goes where these leave fewest units of a grid useless to the partitions that are
 * usually asked for, and for the shortest time; of equal places it takes the fullest device.
 *
 * <p>Evaluating a node costs O(GPUs) after O(demands &times; distinct CPU amounts) once for each set of demands that nodes
 * admit; the last 32 such sets are remembered. Thread-safe.
 */
public final class FragmentationGradient implements PlacementPolicy {
    /** Room for what is left on a shared GPU, in milli. */
    private static final int TIE_BITS = 10;

    /** This part of the imbalance counts. */
    private static final int IMBALANCE_DIVISOR = 10;

    /** One milli of a GPU in an imbalance. */
    private static final int IMBALANCE_UNIT = 256;

    /** No node has more CPU than 2^29 milli as far as its imbalance goes. */
    private static final long MOST_CPU_MILLIS = 1 << 29;

    private static final int MOST_TABLES = 32;

    private final WorkloadProfile profile;
    private final long totalWeight;
    private final PartitionForecast partitions;
    private final HardwareMemo<ClassTable> classes = new HardwareMemo<>(this::learn);

    /** By the demands that may use a node's GPUs. */
    private final RecentValues<List<Demand>, FragmentTable> tables = new RecentValues<>(MOST_TABLES);

    private record ClassTable(FragmentTable table, long gpuMillis) {}

    private FragmentationGradient(WorkloadProfile profile) {
        this.profile = profile;
        this.totalWeight = profile.totalWeight();
        this.partitions = new PartitionForecast(profile);
    }

    /** Returns the policy that measures by this profile. */
    public static FragmentationGradient of(WorkloadProfile profile) {
        Objects.requireNonNull(profile, "profile");
        return new FragmentationGradient(profile);
    }

    /** Returns the profile it measures by. */
    public WorkloadProfile profile() {
        return profile;
    }

    /** Returns the fragmentation of a node: milli of compute times weight, summed over the demands. O(GPUs). */
    public long fragmentation(NodeState node) {
        Objects.requireNonNull(node, "node");
        return classes.get(node.nodeClass()).table().fragmentation(node);
    }

    private ClassTable learn(NodeClass nodeClass) {
        NodeKind kind = NodeKind.ofFirstGpu(nodeClass);
        List<Demand> usable = profile.demands().stream()
                .filter(demand -> demand.gpuCount() > 0 && kind.accepts(demand))
                .toList();
        long gpuMillis = nodeClass.gpus().stream().mapToLong(Gpu::computeMillis).sum();
        return new ClassTable(tables.get(usable, demands -> new FragmentTable(demands, totalWeight)), gpuMillis);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        if (PartitionForecast.isCutting(before, after)) {
            return partitions.score(before, after);
        }
        ClassTable ofClass = classes.get(before.nodeClass());
        FragmentTable table = ofClass.table();
        long gradient = table.fragmentation(before) - table.fragmentation(after);
        long capacity =
                Math.max(1, Math.min(MOST_CPU_MILLIS, before.node().capacity().cpuMillis()));
        long balance =
                imbalance(before, capacity, ofClass.gpuMillis()) - imbalance(after, capacity, ofClass.gpuMillis());
        long gain = gradient + balance * totalWeight / (IMBALANCE_DIVISOR * IMBALANCE_UNIT);
        return (gain << TIE_BITS) - Math.min(NodeChange.leftOnSharedGpus(before, after), (1 << TIE_BITS) - 1);
    }

    /**
     * Returns how far what is free of CPU is from what goes with what is free of GPUs by the proportion of the node, in
     * 1/256 milli of a GPU; 0 without GPUs. O(GPUs).
     */
    private static long imbalance(NodeState node, long cpuCapacity, long gpuCapacity) {
        long cpu = Math.min(MOST_CPU_MILLIS, node.freeCpuMillis());
        return Math.abs(node.freeComputeMillis() * cpuCapacity - cpu * gpuCapacity) * IMBALANCE_UNIT / cpuCapacity;
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "fgd";
    }
}
