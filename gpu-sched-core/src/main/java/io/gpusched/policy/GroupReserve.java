package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps room for pods that need many GPUs of one node, only as much as the mix demands.
 *
 * <p>Each distinct combination of GPU count, CPU and accepted classes among the shapes with at least four GPUs is a tier.
 * Its hosts are the groups of idle GPUs, with CPU, that nodes still have for it; its need is how many pods of this tier or
 * of harder ones are expected while the cluster fills up, plus two standard deviations. A placement that destroys a host
 * pays up to 375 milli for each GPU of the group: all of it while there are no more hosts than needed, nothing when there
 * are ten more. Pods of the tier itself, and harder ones, pay nothing. Immutable.
 */
final class GroupReserve {
    /** What is told apart in a key: four bits for each tier. */
    static final int MAX_TIERS = 16;

    private static final int BITS_PER_TIER = 4;
    private static final int MAX_LOST = (1 << BITS_PER_TIER) - 1;

    private static final int LEAST_GPUS = 4;
    private static final long PRICE_PER_GPU = 375 * NodeCost.UNIT;
    private static final int DEVIATIONS = 2;

    /** Hosts above the need over which the price falls to 0. */
    private static final int SLOPE = 10;

    /** A tier of which fewer than 0.3 pods are expected is not protected any more. */
    private static final long LEAST_EXPECTED_PERMILLE = 300;

    private static final int RATE_BITS = 30;

    /** No cluster has more free than 2^34 milli as far as prices go, so that products fit. */
    private static final long MOST_FREE_MILLIS = 1L << 34;

    /** Pods of equal difficulty. */
    private record Tier(int gpus, long cpuMillis, Set<NodeClass> classes) {
        boolean isHarderThan(Tier other) {
            return gpus >= other.gpus && cpuMillis >= other.cpuMillis && other.classes.containsAll(classes);
        }

        long hosts(NodeState node) {
            int idle = node.idleGpus();
            if (idle < gpus || !classes.contains(node.nodeClass())) {
                return 0;
            }
            return Math.min(idle / gpus, cpuMillis == 0 ? idle : node.freeCpuMillis() / cpuMillis);
        }
    }

    private final Map<NodeClass, NodeKind> kinds;

    private final Tier[] tiers;

    /** Per tier: thousandths of a pod for each milli of a GPU that the mix brings, in 2^-30. */
    private final long[] rate;

    GroupReserve(PodMix mix, Set<NodeClass> classes) {
        this.kinds = classes.stream().collect(Collectors.toMap(nodeClass -> nodeClass, NodeKind::of));
        List<Shape> large = mix.shapes().stream()
                .filter(shape -> shape.gpuCount() >= LEAST_GPUS)
                .toList();
        Map<Shape, Tier> tierOf = new LinkedHashMap<>();
        large.forEach(shape -> tierOf.put(shape, tier(shape)));
        Map<Tier, Long> rates = new LinkedHashMap<>();
        for (Tier tier : tierOf.values()) {
            rates.computeIfAbsent(tier, key -> rate(key, tierOf, mix.gpuMillis()));
        }
        tiers = rates.keySet().stream()
                .sorted(Comparator.comparingLong(tier -> -rates.getOrDefault(tier, 0L) * tier.gpus()))
                .limit(MAX_TIERS)
                .toArray(Tier[]::new);
        rate = Arrays.stream(tiers)
                .mapToLong(tier -> rates.getOrDefault(tier, 0L))
                .toArray();
    }

    private Tier tier(Shape shape) {
        Set<NodeClass> accepted = kinds.keySet().stream()
                .filter(nodeClass -> accepts(nodeClass, shape))
                .collect(Collectors.toSet());
        return new Tier(shape.gpuCount(), shape.cpuMillis(), accepted);
    }

    private boolean accepts(NodeClass nodeClass, Shape shape) {
        return Objects.requireNonNull(kinds.get(nodeClass)).accepts(shape);
    }

    /** How many pods of this tier, harder ones counted for what they could hold of it, a milli of the mix brings. */
    private static long rate(Tier tier, Map<Shape, Tier> large, long gpuMillis) {
        long groups = 0;
        for (Map.Entry<Shape, Tier> entry : large.entrySet()) {
            Shape shape = entry.getKey();
            if (entry.getValue().isHarderThan(tier)) {
                long byCpu = tier.cpuMillis() == 0 ? Long.MAX_VALUE : shape.cpuMillis() / tier.cpuMillis();
                groups += shape.weight() * Math.min(shape.gpuCount() / tier.gpus(), byCpu);
            }
        }
        return Math.round(groups * 1000.0 * (1L << RATE_BITS) / gpuMillis);
    }

    int tiers() {
        return tiers.length;
    }

    /** Returns how many pods of a tier could still go to a node. */
    long hosts(int tier, NodeState node) {
        return tiers[tier].hosts(node);
    }

    /** Returns how many hosts of each tier a placement destroys, at most 15, four bits each. */
    long lost(NodeState before, NodeState after) {
        long key = 0;
        for (int t = 0; t < tiers.length; t++) {
            long hosts = tiers[t].hosts(before);
            if (hosts > 0) {
                long lost = Math.min(MAX_LOST, Math.max(0, hosts - tiers[t].hosts(after)));
                key |= lost << (BITS_PER_TIER * t);
            }
        }
        return key;
    }

    /** Returns which tiers a pod of this shape belongs to or is harder than. */
    BitSet exempt(Shape shape) {
        Tier asked = tier(shape);
        BitSet exempt = new BitSet();
        for (int t = 0; t < tiers.length; t++) {
            exempt.set(t, asked.isHarderThan(tiers[t]));
        }
        return exempt;
    }

    /**
     * Returns the price of one host in 1/1024 milli.
     *
     * @param hosts how many the cluster has
     * @param free what is free in the cluster, in milli; 31/32 of it is deemed usable
     */
    long price(int tier, long hosts, long free) {
        long expected = Math.min(MOST_FREE_MILLIS, free) * 31 / 32 * rate[tier] >> RATE_BITS;
        if (expected < LEAST_EXPECTED_PERMILLE) {
            return 0;
        }
        long deviation =
                (long) Math.sqrt((double) (expected * 1_000)); // correctly rounded by definition, the same everywhere
        long need = expected + DEVIATIONS * deviation + DEVIATIONS * Math.min(1_000, expected) / 2;
        long spare = Math.max(0, hosts * 1_000 - need);
        long full = PRICE_PER_GPU * tiers[tier].gpus();
        return Math.max(0, full - full * Math.min(spare, SLOPE * 1_000) / (SLOPE * 1_000));
    }

    /** Returns the dearest of the losses a key stands for at these prices. */
    static long worst(long key, long[] prices) {
        long worst = 0;
        for (int t = 0; t < prices.length; t++) {
            worst = Math.max(worst, (key >>> (BITS_PER_TIER * t) & MAX_LOST) * prices[t]);
        }
        return worst;
    }
}
