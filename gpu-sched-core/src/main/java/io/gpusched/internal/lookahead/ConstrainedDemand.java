package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Penalties for the use of kinds of nodes, by how much pods that are bound to few kinds will need of them.
 *
 * <p>The tightness of a kind is the compute that constrained pods will ask of it while the cluster fills up, over what is
 * free of it. The penalty rises from 0 at tightness 0.3 to one milli for each milli taken at 0.9. It is the same for every
 * pod that goes there, so pods with a choice go elsewhere; pods without a choice have it everywhere and are not held off.
 * Pods that accept some kinds but not all are spread over them beforehand, so that these get equally tight. Immutable.
 */
final class ConstrainedDemand {
    private static final int LOW_PERMILLE = 300;
    private static final int HIGH_PERMILLE = 900;
    private static final int SHARE_BITS = 20;
    private static final int SPREAD_ROUNDS = 60;

    /** Keeps the spreading from giving everything to a kind that no other demand asks for. */
    private static final double LEAST_TIGHTNESS = 0.05;

    /** Per kind: what constrained pods ask of it, as a part of all that is asked, in 2^-20. */
    private final long[] share;

    /**
     * A kind of nodes with GPUs in a cluster.
     *
     * @param capacityMillis the compute of all its GPUs
     * @param fitting which demands of the mix, by index, fit onto an empty node of it
     */
    record Supply(NodeKind kind, long capacityMillis, BitSet fitting) {}

    /**
     * @param supplies the kinds of nodes with GPUs, in {@link NodeKind#ORDER}
     */
    ConstrainedDemand(PodMix mix, List<Supply> supplies) {
        double asked = Math.max(1, mix.gpuMillis());
        double[] demand = spread(mix, supplies);
        share = Arrays.stream(demand)
                .mapToLong(part -> Math.round(part / asked * (1 << SHARE_BITS)))
                .toArray();
    }

    /** Returns what constrained pods ask of each kind, spread in multiplicative steps until kinds are equally tight. */
    private static double[] spread(PodMix mix, List<Supply> supplies) {
        double[] capacity =
                supplies.stream().mapToDouble(Supply::capacityMillis).toArray();
        double clusterPerMix = Arrays.stream(capacity).sum() / Math.max(1, mix.gpuMillis());
        Map<BitSet, Double> asked = constrained(mix.demands(), supplies);
        double[] weight =
                asked.values().stream().mapToDouble(Double::doubleValue).toArray();
        double[][] part = asked.keySet().stream()
                .map(kinds -> startingPart(kinds, capacity))
                .toArray(double[][]::new);
        double[] demand = demand(weight, part, capacity.length);
        for (int round = 1; round < SPREAD_ROUNDS && part.length > 0; round++) {
            for (int k = 0; k < capacity.length; k++) {
                double tight = LEAST_TIGHTNESS + (capacity[k] == 0 ? 0 : demand[k] / capacity[k] * clusterPerMix);
                double root = Math.sqrt(tight);
                for (double[] row : part) {
                    row[k] /= root;
                }
            }
            demand = demand(weight, part, capacity.length);
        }
        return demand;
    }

    /** What demands ask that not all kinds accept, by the kinds on which they fit: these alone decide how they spread. */
    private static Map<BitSet, Double> constrained(List<Demand> demands, List<Supply> supplies) {
        Map<BitSet, Double> asked = new LinkedHashMap<>();
        for (int s = 0; s < demands.size(); s++) {
            Demand demand = demands.get(s);
            if (demand.gpuCount() > 0
                    && !supplies.stream().allMatch(supply -> supply.kind().accepts(demand))) {
                BitSet kinds = new BitSet();
                for (int k = 0; k < supplies.size(); k++) {
                    kinds.set(k, supplies.get(k).fitting().get(s));
                }
                asked.merge(kinds, (double) (demand.weight() * demand.totalGpuMillis()), Double::sum);
            }
        }
        return asked;
    }

    private static double[] startingPart(BitSet kinds, double[] capacity) {
        double[] part = new double[capacity.length];
        for (int k = 0; k < part.length; k++) {
            part[k] = kinds.get(k) ? capacity[k] : 0;
        }
        return part;
    }

    /** Scales each row to 1 and returns what is asked of each kind by all together. */
    private static double[] demand(double[] weight, double[][] part, int kinds) {
        double[] demand = new double[kinds];
        for (int row = 0; row < part.length; row++) {
            double total = Arrays.stream(part[row]).sum();
            for (int k = 0; k < kinds && total > 0; k++) {
                part[row][k] /= total;
                demand[k] += part[row][k] * weight[row];
            }
        }
        return demand;
    }

    /**
     * Returns the penalty in 1/1024 milli for each milli taken of a kind.
     *
     * @param freeOfKind what is free of the kind, in milli
     * @param free what is free in the cluster, in milli
     */
    long penalty(int kind, long freeOfKind, long free) {
        if (share[kind] == 0) {
            return 0;
        }
        long permille = (free * share[kind] >> SHARE_BITS) * 1_000 / Math.max(1, freeOfKind);
        long over = Math.max(0, Math.min(HIGH_PERMILLE, permille) - LOW_PERMILLE);
        return KindCost.MILLI * over / (HIGH_PERMILLE - LOW_PERMILLE);
    }
}
