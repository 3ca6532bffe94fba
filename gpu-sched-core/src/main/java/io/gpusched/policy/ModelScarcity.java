package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Prices kinds of nodes by how much pods that are bound to few kinds will need of them.
 *
 * <p>The tightness of a kind is the compute that constrained pods will ask of it while the cluster fills up, over what is
 * free of it. The price rises from 0 at tightness 0.3 to one milli for each milli taken at 0.9. Every pod that goes there
 * pays it, so pods with a choice go elsewhere; pods without a choice pay it everywhere and are not held off. Pods that
 * accept some kinds but not all are spread over them beforehand, so that these get equally tight. Immutable.
 */
final class ModelScarcity {
    private static final int LOW_PERMILLE = 300;
    private static final int HIGH_PERMILLE = 900;
    private static final int SHARE_BITS = 20;
    private static final int SPREAD_ROUNDS = 60;

    /** Keeps the spreading from giving everything to a kind that nobody else asks for. */
    private static final double LEAST_TIGHTNESS = 0.05;

    /** Per kind: what constrained pods ask of it, as a part of all that is asked, in 2^-20. */
    private final long[] share;

    /**
     * @param kinds the kinds of nodes with GPUs
     */
    ModelScarcity(PodMix mix, List<NodeKind> kinds, Map<NodeClass, Integer> classes) {
        double asked = Math.max(1, mix.gpuMillis());
        double[] demand = spread(mix, kinds, classes);
        share = Arrays.stream(demand)
                .mapToLong(part -> Math.round(part / asked * (1 << SHARE_BITS)))
                .toArray();
    }

    /** Returns what constrained pods ask of each kind, spread in multiplicative steps until kinds are equally tight. */
    private static double[] spread(PodMix mix, List<NodeKind> kinds, Map<NodeClass, Integer> classes) {
        double[] capacity = capacities(kinds, classes);
        double clusterPerMix = Arrays.stream(capacity).sum() / Math.max(1, mix.gpuMillis());
        List<Shape> constrained = mix.shapes().stream()
                .filter(shape -> shape.gpuCount() > 0 && !kinds.stream().allMatch(kind -> kind.accepts(shape)))
                .toList();
        double[][] part = new double[constrained.size()][kinds.size()];
        for (int k = 0; k < capacity.length; k++) {
            NodeKind kind = kinds.get(k);
            List<NodeClass> members = classes.keySet().stream()
                    .filter(nodeClass -> NodeKind.of(nodeClass).equals(kind))
                    .toList();
            for (int s = 0; s < part.length; s++) {
                part[s][k] = fits(constrained.get(s), kind, members) ? capacity[k] : 0;
            }
        }
        double[] demand = demand(constrained, part);
        for (int round = 1; round < SPREAD_ROUNDS; round++) {
            for (double[] row : part) {
                for (int k = 0; k < row.length; k++) {
                    double tight = LEAST_TIGHTNESS + (capacity[k] == 0 ? 0 : demand[k] / capacity[k] * clusterPerMix);
                    row[k] /= Math.sqrt(tight);
                }
            }
            demand = demand(constrained, part);
        }
        return demand;
    }

    /** Scales each row to 1 and returns what the shapes together ask of each kind. */
    private static double[] demand(List<Shape> shapes, double[][] part) {
        double[] demand = new double[part.length == 0 ? 0 : part[0].length];
        for (int s = 0; s < part.length; s++) {
            double total = Arrays.stream(part[s]).sum();
            for (int k = 0; k < demand.length && total > 0; k++) {
                part[s][k] /= total;
                demand[k] += part[s][k] * shapes.get(s).weight() * shapes.get(s).totalGpuMillis();
            }
        }
        return demand;
    }

    private static double[] capacities(List<NodeKind> kinds, Map<NodeClass, Integer> classes) {
        double[] capacity = new double[kinds.size()];
        classes.forEach((nodeClass, nodes) -> {
            int kind = kinds.indexOf(NodeKind.of(nodeClass));
            if (kind >= 0) {
                capacity[kind] += (double) nodes * nodeClass.gpus().size() * Shape.WHOLE;
            }
        });
        return capacity;
    }

    private static boolean fits(Shape shape, NodeKind kind, List<NodeClass> members) {
        return kind.accepts(shape)
                && members.stream()
                        .anyMatch(nodeClass -> shape.gpuCount()
                                        <= nodeClass.gpus().size()
                                && shape.cpuMillis() <= nodeClass.capacity().cpuMillis());
    }

    /**
     * Returns the price in 1/1024 milli for each milli taken of a kind.
     *
     * @param freeOfKind what is free of the kind, in milli
     * @param free what is free in the cluster, in milli
     */
    long price(int kind, long freeOfKind, long free) {
        if (kind >= share.length || share[kind] == 0) {
            return 0;
        }
        long permille = (free * share[kind] >> SHARE_BITS) * 1_000 / Math.max(1, freeOfKind);
        long over = Math.max(0, Math.min(HIGH_PERMILLE, permille) - LOW_PERMILLE);
        return NodeCost.UNIT * over / (HIGH_PERMILLE - LOW_PERMILLE);
    }
}
