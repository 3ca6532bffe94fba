package io.gpusched.simulator;

import io.gpusched.model.NodeState;
import io.gpusched.simulator.trace.TracePod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures fragmentation: the GPU compute that stays idle because the typical pods cannot use it, averaged over what they
 * ask ("Beware of Fragmentation", section 4).
 *
 * <p>To a pod that a node cannot serve, and to one that asks for no GPU, all idle compute of the node is a fragment; to
 * one that it can serve, the compute of those GPUs that have less left than the pod asks of one. Integer arithmetic, so
 * the order of summation does not matter. Not thread-safe.
 */
public final class FragmentationMeter {
    private final TypicalShape[] shapes;
    private final int[] counts;
    private final long covered;
    private final Map<String, boolean[]> acceptedByModel = new HashMap<>();

    /** Creates a meter for this mix of pods. */
    public FragmentationMeter(TypicalMix mix) {
        this.shapes = mix.shapes().toArray(TypicalShape[]::new);
        this.counts = mix.counts().stream().mapToInt(Integer::intValue).toArray();
        this.covered = mix.covered();
    }

    /** Returns by how much {@link #weighed} numbers exceed milli of GPU compute. */
    public long weight() {
        return covered;
    }

    /** Returns the fragments of one node in milli of GPU compute, times {@link #weight}. O(shapes · GPUs). */
    public long weighed(NodeState node) {
        int gpus = node.gpuCount();
        if (gpus == 0) {
            return 0;
        }
        int[] left = new int[gpus];
        long idle = 0;
        for (int gpu = 0; gpu < gpus; gpu++) {
            left[gpu] = node.freeComputeMillis(gpu);
            idle += left[gpu];
        }
        boolean[] accepted = acceptedByModel.computeIfAbsent(
                node.node().gpus().get(0).model().name(), this::accepted);
        long sum = 0;
        for (int shape = 0; shape < shapes.length && idle > 0; shape++) {
            boolean canServe = accepted[shape] && node.freeCpuMillis() >= shapes[shape].cpuMillis();
            sum += counts[shape] * (canServe ? unusable(left, idle, shapes[shape]) : idle);
        }
        return sum;
    }

    private static long unusable(int[] left, long idle, TypicalShape shape) {
        int fitting = 0;
        long tooSmall = 0;
        for (int millis : left) {
            if (millis >= shape.gpuMillis()) {
                fitting++;
            } else {
                tooSmall += millis;
            }
        }
        return fitting >= shape.gpus() ? tooSmall : idle;
    }

    private boolean[] accepted(String model) {
        boolean[] accepted = new boolean[shapes.length];
        for (int shape = 0; shape < shapes.length; shape++) {
            Set<String> models = TracePod.models(shapes[shape].gpuSpec());
            accepted[shape] = !shapes[shape].isCpuOnly() && (models.isEmpty() || models.contains(model));
        }
        return accepted;
    }

    /** Returns the fragments of all nodes in milli of GPU compute, times {@link #weight}. */
    public long weighed(List<NodeState> nodes) {
        long sum = 0;
        for (NodeState node : nodes) {
            sum += weighed(node);
        }
        return sum;
    }
}
