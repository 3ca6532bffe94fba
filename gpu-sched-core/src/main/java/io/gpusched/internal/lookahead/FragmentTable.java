package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Answers in O(GPUs + log shapes) how much of a node's idle GPU is a fragment, for nodes that certain shapes may use.
 *
 * <p>Of the shapes only these facts matter: which of them have the CPU (by rank of the node's free CPU among the shapes'
 * amounts), and, of those, how much weight asks for a part of one GPU up to a given size, and how much asks for up to a
 * given number of whole GPUs. Both are cumulative tables. Immutable.
 */
public final class FragmentTable {
    private static final int MOST_GPUS = 64;

    /*
     * A shape can use all that is free of a GPU or nothing of it. With W the total weight and g the free milli of a
     * GPU: fragmentation = sum over GPUs of g * (W - weight of the shapes that can use it). These have the CPU, and are
     * the shares that ask for at most g and, if the GPU is idle, the shapes that ask for at most as many whole GPUs as
     * are idle.
     */
    private final long totalWeight;
    private final long[] cpuSteps;

    /** By free milli of a GPU, up to 999: how many of the sizes of one-GPU shares are at most this. */
    private final short[] sizeRank = new short[Shape.WHOLE];

    /** By CPU rank, then by rank of size: weight of the one-GPU shares that ask for at most so much. */
    private final long[][] shares;

    /** By CPU rank, then by number of idle GPUs: weight of the shapes that ask for at most so many whole GPUs. */
    private final long[][] whole;

    /** By CPU rank: shares of several GPUs at once, which are rare and are looked at one by one. */
    private final Shape[][] wideShares;

    /**
     * @param usable the shapes of the profile, by index, that may use GPUs of the nodes
     */
    public FragmentTable(WorkloadProfile profile, BitSet usable) {
        List<Shape> shapes =
                usable.stream().mapToObj(index -> profile.shapes().get(index)).toList();
        totalWeight = profile.totalWeight();
        cpuSteps =
                shapes.stream().mapToLong(Shape::cpuMillis).distinct().sorted().toArray();
        long[] sizes = shapes.stream()
                .filter(shape -> !shape.isWhole())
                .mapToLong(Shape::gpuMillis)
                .distinct()
                .sorted()
                .toArray();
        for (int millis = 0; millis < Shape.WHOLE; millis++) {
            sizeRank[millis] = (short) rank(sizes, millis);
        }
        shares = new long[cpuSteps.length + 1][sizes.length + 1];
        whole = new long[cpuSteps.length + 1][MOST_GPUS + 1];
        wideShares = new Shape[cpuSteps.length + 1][];
        wideShares[0] = new Shape[0];
        for (int rank = 1; rank <= cpuSteps.length; rank++) {
            long cpu = cpuSteps[rank - 1];
            fill(rank, shapes.stream().filter(shape -> shape.cpuMillis() <= cpu).toList());
        }
    }

    private void fill(int rank, List<Shape> affordable) {
        for (Shape shape : affordable) {
            if (shape.isWhole()) {
                addFrom(whole[rank], shape.gpuCount(), shape.weight());
            } else if (shape.gpuCount() == 1) {
                addFrom(shares[rank], sizeRank[shape.gpuMillis()], shape.weight());
            }
        }
        wideShares[rank] = affordable.stream()
                .filter(shape -> !shape.isWhole() && shape.gpuCount() > 1)
                .toArray(Shape[]::new);
    }

    private static void addFrom(long[] cumulative, int from, long weight) {
        for (int i = from; i < cumulative.length; i++) {
            cumulative[i] += weight;
        }
    }

    /** Returns which shapes, by index, could use a GPU of a node of a class; one of mixed models counts as its first. */
    public static BitSet usable(WorkloadProfile profile, NodeClass nodeClass) {
        BitSet usable = new BitSet();
        for (int i = 0; i < profile.shapes().size(); i++) {
            usable.set(i, mayRun(profile.shapes().get(i), nodeClass));
        }
        return usable;
    }

    private static boolean mayRun(Shape shape, NodeClass nodeClass) {
        List<Gpu> gpus = nodeClass.gpus();
        if (shape.gpuCount() == 0 || gpus.isEmpty()) {
            return false;
        }
        boolean admitted = shape.isWhole()
                ? nodeClass.mode().admitsWhole()
                : nodeClass.mode().admitsShares();
        return admitted
                && (shape.models().isEmpty()
                        || shape.models().contains(gpus.get(0).model().name()));
    }

    /** Returns milli of compute that is a fragment times weight, summed over the shapes. */
    public long fragmentation(NodeState node) {
        int rank = rank(cpuSteps, node.freeCpuMillis());
        long[] served = shares[rank];
        long wholeFits = whole[rank][node.idleGpus()];
        long sum = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            int free = node.freeComputeMillis(g);
            if (free > 0) {
                long uses = served[sizeRank[Math.min(free, Shape.WHOLE - 1)]] + (node.isIdle(g) ? wholeFits : 0);
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

    /** How many of these amounts are at most this. */
    private static int rank(long[] ascending, long amount) {
        int at = Arrays.binarySearch(ascending, amount);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
