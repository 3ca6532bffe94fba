package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much of a node's idle GPU compute is a fragment, for nodes of one kind: the measure of "Beware of Fragmentation" (USENIX
 * ATC 2023), in O(GPUs + log demands). Immutable.
 */
public final class FragmentTable {
    /** Weights of a {@linkplain #of mix} add up to 2<sup>16</sup>, but for rounding. */
    static final int WEIGHT_BITS = 16;

    private static final int MOST_GPUS = 64;

    /*
     * A demand can use all that is free of a GPU or nothing of it. With W the total weight and g the free milli of a
     * GPU: fragmentation = sum over GPUs of g * (W - weight of the demands that can use it). These have the CPU, and are
     * the shares that ask for at most g and, if the GPU is idle, the demands that ask for at most as many whole GPUs as
     * are idle. Both weights are cumulative tables, by the rank of the node's free CPU among the amounts asked for.
     */
    private final long totalWeight;
    private final long[] cpuSteps;

    /** By free milli of a GPU, up to 999: how many of the sizes of one-GPU shares are at most this. */
    private final short[] sizeRank = new short[Demand.WHOLE];

    /** By CPU rank, then by rank of size: weight of the one-GPU shares that ask for at most so much. */
    private final long[][] shares;

    /** By CPU rank, then by number of idle GPUs: weight of the demands that ask for at most so many whole GPUs. */
    private final long[][] whole;

    /** By CPU rank: shares of several GPUs at once, which are rare and are looked at one by one. */
    private final Demand[][] wideShares;

    /**
     * @param usable the demands that may use GPUs of the nodes
     * @param totalWeight the weight of all demands
     */
    public FragmentTable(List<Demand> usable, long totalWeight) {
        this.totalWeight = totalWeight;
        cpuSteps =
                usable.stream().mapToLong(Demand::cpuMillis).distinct().sorted().toArray();
        long[] sizes = usable.stream()
                .filter(demand -> !demand.isWhole())
                .mapToLong(Demand::gpuMillis)
                .distinct()
                .sorted()
                .toArray();
        for (int millis = 0; millis < Demand.WHOLE; millis++) {
            sizeRank[millis] = (short) rank(sizes, millis);
        }
        shares = new long[cpuSteps.length + 1][sizes.length + 1];
        whole = new long[cpuSteps.length + 1][MOST_GPUS + 1];
        wideShares = new Demand[cpuSteps.length + 1][0];
        for (int rank = 1; rank <= cpuSteps.length; rank++) {
            long cpu = cpuSteps[rank - 1];
            fill(
                    rank,
                    usable.stream().filter(demand -> demand.cpuMillis() <= cpu).toList());
        }
    }

    private void fill(int rank, List<Demand> affordable) {
        for (Demand demand : affordable) {
            if (demand.isWhole()) {
                addFrom(whole[rank], demand.gpuCount(), demand.weight());
            } else if (demand.gpuCount() == 1) {
                addFrom(shares[rank], sizeRank[demand.gpuMillis()], demand.weight());
            }
        }
        wideShares[rank] = affordable.stream()
                .filter(demand -> !demand.isWhole() && demand.gpuCount() > 1)
                .toArray(Demand[]::new);
    }

    private static void addFrom(long[] cumulative, int from, long weight) {
        for (int i = from; i < cumulative.length; i++) {
            cumulative[i] += weight;
        }
    }

    /** Returns the table of a mix, in which demands that ask for the same have their weight rounded together. */
    static FragmentTable of(PodMix mix, NodeKind kind) {
        Map<Demand, Long> pods = new LinkedHashMap<>();
        long useless = 0;
        for (Demand demand : mix.demands()) {
            if (demand.gpuCount() > 0 && kind.accepts(demand)) {
                pods.merge(ask(demand, 1), demand.weight(), Long::sum);
            } else {
                useless += demand.weight();
            }
        }
        List<Demand> usable = pods.entrySet().stream()
                .filter(entry -> rounded(mix, entry.getValue()) > 0)
                .map(entry -> ask(entry.getKey(), rounded(mix, entry.getValue())))
                .toList();
        long weight = usable.stream().mapToLong(Demand::weight).sum();
        return new FragmentTable(usable, weight + rounded(mix, useless));
    }

    private static Demand ask(Demand demand, long weight) {
        return new Demand(demand.cpuMillis(), 0, demand.gpuMillis(), demand.gpuCount(), Set.of(), weight);
    }

    private static long rounded(PodMix mix, long pods) {
        return Math.round((double) pods * (1 << WEIGHT_BITS) / mix.pods());
    }

    /** Returns milli of compute that is a fragment times weight, summed over the demands. */
    public long fragmentation(NodeState node) {
        int rank = rank(cpuSteps, node.freeCpuMillis());
        long[] served = shares[rank];
        long wholeFits = whole[rank][node.idleGpus()];
        long sum = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            int free = node.freeComputeMillis(g);
            if (free > 0) {
                long uses = served[sizeRank[Math.min(free, Demand.WHOLE - 1)]] + (node.isIdle(g) ? wholeFits : 0);
                sum += free * (totalWeight - uses);
            }
        }
        return wideShares[rank].length == 0 ? sum : sum - usedByWideShares(node, wideShares[rank]);
    }

    private static long usedByWideShares(NodeState node, Demand[] demands) {
        long used = 0;
        for (Demand demand : demands) {
            int fitting = 0;
            long usable = 0;
            for (int g = 0; g < node.gpuCount(); g++) {
                boolean fits = node.freeComputeMillis(g) >= demand.gpuMillis();
                fitting += fits ? 1 : 0;
                usable += fits ? node.freeComputeMillis(g) : 0;
            }
            used += fitting >= demand.gpuCount() ? usable * demand.weight() : 0;
        }
        return used;
    }

    /** Returns the same of what is free on a node where no demand asks for shares of several GPUs. */
    long fragmentation(FreeAmounts free) {
        int rank = rank(cpuSteps, free.cpuMillis());
        long[] served = shares[rank];
        long ofIdle = served[served.length - 1] + whole[rank][free.whole()];
        long usable = (long) free.whole() * Demand.WHOLE * ofIdle;
        for (int p = 0; p < free.parts(); p++) {
            usable += free.part(p) * served[sizeRank[free.part(p)]];
        }
        return totalWeight * free.gpuMillis() - usable;
    }

    /** How many of these amounts are at most this. */
    private static int rank(long[] ascending, long amount) {
        int at = Arrays.binarySearch(ascending, amount);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
