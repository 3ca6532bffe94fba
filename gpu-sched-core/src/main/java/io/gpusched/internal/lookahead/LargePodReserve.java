package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps room for pods that need many GPUs of one node, only as much as the mix demands.
 *
 * <p>Each distinct combination of GPU count, CPU and accepted models among the demands with at least four GPUs is a size.
 * Its hosts are the groups of idle GPUs, with CPU, that nodes still have for it; its need is how many pods of this size or
 * of harder ones are expected while the cluster fills up, plus two standard deviations. The penalty of a placement that
 * destroys a host is up to 375 milli for each GPU of the group: all of it while there are no more hosts than needed, nothing
 * when there are ten more. Pods of the size itself, and harder ones, have no penalty. Immutable.
 */
final class LargePodReserve {
    /** What is told apart in a word of losses: four bits for each size. */
    static final int MAX_SIZES = 16;

    private static final int BITS_PER_SIZE = 4;
    private static final int MAX_LOST = (1 << BITS_PER_SIZE) - 1;

    private static final int LEAST_GPUS = 4;
    private static final long PENALTY_PER_GPU = 375 * KindCost.MILLI;
    private static final int DEVIATIONS = 2;

    /** Hosts above the need over which the penalty falls to 0. */
    private static final int SLOPE = 10;

    /** A size with fewer than 0.3 expected pods is not protected any more. */
    private static final long LEAST_EXPECTED_PERMILLE = 300;

    private static final int RATE_BITS = 30;

    /** No cluster has more free than 2^34 milli as far as penalties go, so that products fit. */
    private static final long MOST_FREE_MILLIS = 1L << 34;

    /**
     * Pods of equal difficulty.
     *
     * @param models the models they accept, none for any
     */
    private record Size(int gpus, long cpuMillis, Set<String> models) {
        static Size of(Demand demand) {
            return new Size(demand.gpuCount(), demand.cpuMillis(), demand.models());
        }

        boolean isHarderThan(Size other) {
            return gpus >= other.gpus
                    && cpuMillis >= other.cpuMillis
                    && (other.models.isEmpty() || !models.isEmpty() && other.models.containsAll(models));
        }

        long hosts(int idle, long freeCpuMillis) {
            return Math.min(idle / gpus, cpuMillis == 0 ? idle : freeCpuMillis / cpuMillis);
        }
    }

    private final Size[] sizes;

    /** Per size: thousandths of a pod for each milli of a GPU that the mix brings, in 2^-30. */
    private final long[] rate;

    LargePodReserve(PodMix mix) {
        List<Demand> large = mix.demands().stream()
                .filter(demand -> demand.gpuCount() >= LEAST_GPUS)
                .toList();
        Map<Size, Long> rates = new LinkedHashMap<>();
        for (Demand demand : large) {
            rates.computeIfAbsent(Size.of(demand), size -> rate(size, large, mix.gpuMillis()));
        }
        sizes = rates.keySet().stream()
                .sorted(Comparator.comparingLong(size -> -rates.getOrDefault(size, 0L) * size.gpus()))
                .limit(MAX_SIZES)
                .toArray(Size[]::new);
        rate = Arrays.stream(sizes)
                .mapToLong(size -> rates.getOrDefault(size, 0L))
                .toArray();
    }

    /** How many pods of this size, harder ones counted for what they could hold of it, a milli of the mix brings. */
    private static long rate(Size size, List<Demand> large, long gpuMillis) {
        long groups = 0;
        for (Demand demand : large) {
            if (Size.of(demand).isHarderThan(size)) {
                long byCpu = size.cpuMillis() == 0 ? Long.MAX_VALUE : demand.cpuMillis() / size.cpuMillis();
                groups += demand.weight() * Math.min(demand.gpuCount() / size.gpus(), byCpu);
            }
        }
        return Math.round(groups * 1000.0 * (1L << RATE_BITS) / gpuMillis);
    }

    int sizes() {
        return sizes.length;
    }

    /** Returns which sizes could use an empty node of this kind, as a bit mask. */
    int accepted(NodeKind kind) {
        int mask = 0;
        for (int t = 0; t < sizes.length; t++) {
            mask |= kind.acceptsWhole(sizes[t].models()) ? 1 << t : 0;
        }
        return mask;
    }

    /**
     * Adds how many pods of each size could still go to a node.
     *
     * @param accepted the sizes that could use the node when empty
     * @param sign 1 to add, -1 to subtract
     */
    void addHosts(NodeState node, int accepted, int sign, long[] sums) {
        int idle = node.idleGpus();
        for (int rest = idle < LEAST_GPUS ? 0 : accepted; rest != 0; rest &= rest - 1) {
            int size = Integer.numberOfTrailingZeros(rest);
            sums[size] += sign * sizes[size].hosts(idle, node.freeCpuMillis());
        }
    }

    /** Returns how many hosts of each accepted size a placement destroys, at most 15, four bits each. */
    long lost(NodeState before, NodeState after, int accepted) {
        long lost = 0;
        int idle = before.idleGpus();
        for (int rest = idle < LEAST_GPUS ? 0 : accepted; rest != 0; rest &= rest - 1) {
            int size = Integer.numberOfTrailingZeros(rest);
            long hosts = sizes[size].hosts(idle, before.freeCpuMillis())
                    - sizes[size].hosts(after.idleGpus(), after.freeCpuMillis());
            lost |= Math.min(MAX_LOST, Math.max(0, hosts)) << (BITS_PER_SIZE * size);
        }
        return lost;
    }

    /** Returns which sizes a pod of this demand belongs to or is harder than, as a bit mask. */
    int exempt(Demand demand) {
        Size asked = Size.of(demand);
        int exempt = 0;
        for (int t = 0; t < sizes.length; t++) {
            exempt |= asked.isHarderThan(sizes[t]) ? 1 << t : 0;
        }
        return exempt;
    }

    /**
     * Returns the penalty of one host in 1/1024 milli.
     *
     * @param hosts how many the cluster has
     * @param free what is free in the cluster, in milli; 31/32 of it is deemed usable
     */
    long penalty(int size, long hosts, long free) {
        long expected = Math.min(MOST_FREE_MILLIS, free) * 31 / 32 * rate[size] >> RATE_BITS;
        if (expected < LEAST_EXPECTED_PERMILLE) {
            return 0;
        }
        long deviation =
                (long) Math.sqrt((double) (expected * 1_000)); // correctly rounded by definition, the same everywhere
        long need = expected + DEVIATIONS * deviation + DEVIATIONS * Math.min(1_000, expected) / 2;
        long spare = Math.max(0, hosts * 1_000 - need);
        long full = PENALTY_PER_GPU * sizes[size].gpus();
        return Math.max(0, full - full * Math.min(spare, SLOPE * 1_000) / (SLOPE * 1_000));
    }

    /** Returns the greatest of the penalties for the losses in a word of {@link #lost}. */
    static long worst(long lost, long[] penalties) {
        long worst = 0;
        for (int t = 0; t < penalties.length; t++) {
            worst = Math.max(worst, (lost >>> (BITS_PER_SIZE * t) & MAX_LOST) * penalties[t]);
        }
        return worst;
    }
}
