package io.gpusched.policy;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * Answers in O(GPUs) how much of a node's idle GPU is a fragment, for nodes of one class.
 *
 * <p>Of the shapes only these facts matter: which of them have the CPU (by rank of the node's free CPU among the shapes'
 * amounts), and, of those, how much weight asks for a part of one GPU up to a given size, and how much asks for up to a
 * given number of whole GPUs. Both are cumulative tables.
 */
final class FragmentTable {
    /** One milli of a GPU in an imbalance. */
    static final int IMBALANCE_UNIT = 256;

    /** No node has more CPU than 2^29 milli as far as its imbalance goes. */
    private static final long MOST_CPU_MILLIS = 1 << 29;

    /*
     * A shape can use all that is free of a GPU or nothing of it. With W the total weight and g the free milli of a
     * GPU: fragmentation = sum over GPUs of g * (W - weight of the shapes that can use it). These have the CPU, and are
     * the shares that ask for at most g and, if the GPU is idle, the shapes that ask for at most as many whole GPUs as
     * are idle.
     */
    private final long totalWeight;
    private final long cpuCapacity;
    private final long gpuCapacity;
    private final long[] cpuSteps;

    /** By CPU rank, then by milli 0..999: weight of the one-GPU shares that ask for at most so much. */
    private final long[][] shares;

    /** By CPU rank, then by number of idle GPUs: weight of the shapes that ask for at most so many whole GPUs. */
    private final long[][] whole;

    /** By CPU rank: shares of several GPUs at once, which are rare and are looked at one by one. */
    private final Shape[][] wideShares;

    private FragmentTable(
            long totalWeight,
            NodeClass nodeClass,
            long[] cpuSteps,
            long[][] shares,
            long[][] whole,
            Shape[][] wideShares) {
        this.totalWeight = totalWeight;
        this.cpuCapacity =
                Math.max(1, Math.min(MOST_CPU_MILLIS, nodeClass.capacity().cpuMillis()));
        this.gpuCapacity =
                nodeClass.gpus().stream().mapToLong(Gpu::computeMillis).sum();
        this.cpuSteps = cpuSteps;
        this.shares = shares;
        this.whole = whole;
        this.wideShares = wideShares;
    }

    static FragmentTable of(WorkloadProfile profile, NodeClass nodeClass) {
        List<Shape> usable = profile.shapes().stream()
                .filter(shape -> mayRun(shape, nodeClass))
                .toList();
        long[] steps =
                usable.stream().mapToLong(Shape::cpuMillis).distinct().sorted().toArray();
        int gpus = nodeClass.gpus().size();
        long[][] shares = new long[steps.length + 1][Shape.WHOLE];
        long[][] whole = new long[steps.length + 1][gpus + 1];
        Shape[][] wide = new Shape[steps.length + 1][];
        wide[0] = new Shape[0];
        for (int rank = 1; rank <= steps.length; rank++) {
            long cpu = steps[rank - 1];
            for (Shape shape : usable) {
                if (shape.cpuMillis() <= cpu && shape.isWhole()) {
                    addFrom(whole[rank], shape.gpuCount(), shape.weight());
                } else if (shape.cpuMillis() <= cpu && shape.gpuCount() == 1) {
                    addFrom(shares[rank], shape.gpuMillis(), shape.weight());
                }
            }
            wide[rank] = usable.stream()
                    .filter(shape -> shape.cpuMillis() <= cpu && !shape.isWhole() && shape.gpuCount() > 1)
                    .toArray(Shape[]::new);
        }
        return new FragmentTable(profile.totalWeight(), nodeClass, steps, shares, whole, wide);
    }

    private static void addFrom(long[] cumulative, int from, long weight) {
        for (int i = from; i < cumulative.length; i++) {
            cumulative[i] += weight;
        }
    }

    /** Whether a shape could use a GPU of an empty node of the class; a class of mixed models counts as its first. */
    private static boolean mayRun(Shape shape, NodeClass nodeClass) {
        List<Gpu> gpus = nodeClass.gpus();
        if (shape.gpuCount() == 0 || gpus.size() < shape.gpuCount()) {
            return false;
        }
        boolean admitted = shape.isWhole()
                ? nodeClass.mode().admitsWhole()
                : nodeClass.mode().admitsShares();
        return admitted
                && (shape.models().isEmpty()
                        || shape.models().contains(gpus.get(0).model().name()));
    }

    /**
     * Returns how far what is free of CPU is from what goes with what is free of GPUs by the proportion of the class, in
     * 1/256 milli of a GPU; 0 without GPUs. O(GPUs).
     */
    long imbalance(NodeState node) {
        long cpu = Math.min(MOST_CPU_MILLIS, node.freeCpuMillis());
        return Math.abs(node.freeComputeMillis() * cpuCapacity - cpu * gpuCapacity) * IMBALANCE_UNIT / cpuCapacity;
    }

    long fragmentation(NodeState node) {
        int rank = rank(node.freeCpuMillis());
        long[] served = shares[rank];
        long wholeFits = whole[rank][node.idleGpus()];
        long sum = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            int free = node.freeComputeMillis(g);
            if (free > 0) {
                long uses = served[Math.min(free, Shape.WHOLE - 1)] + (node.isIdle(g) ? wholeFits : 0);
                sum += free * (totalWeight - uses);
            }
        }
        return wideShares[rank].length == 0 ? sum : sum - usedByWideShares(node, wideShares[rank]);
    }

    private static long usedByWideShares(NodeState node, Shape[] shapes) {
        long used = 0;
        for (Shape shape : shapes) {
            int fitting = 0;
            long usable = 0;
            for (int g = 0; g < node.gpuCount(); g++) {
                boolean fits = node.freeComputeMillis(g) >= shape.gpuMillis();
                fitting += fits ? 1 : 0;
                usable += fits ? node.freeComputeMillis(g) : 0;
            }
            used += fitting >= shape.gpuCount() ? usable * shape.weight() : 0;
        }
        return used;
    }

    /** How many of the CPU amounts are at most this. */
    private int rank(long cpuMillis) {
        int at = Arrays.binarySearch(cpuSteps, cpuMillis);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
