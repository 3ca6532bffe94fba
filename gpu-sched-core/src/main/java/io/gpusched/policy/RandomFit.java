package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;

/**
 * Takes any node that has room with the same chance, and there any of the ways to use its GPUs that differ; a baseline to
 * compare with. Of GPUs that are alike the lowest index is taken.
 *
 * <p>The choice is a hash of the seed, the pod's id, the node's name and the GPU, so that it is the same on every run. A
 * decision costs O(n). Immutable and thread-safe.
 */
public final class RandomFit implements PlacementPolicy {
    private final long seed;

    private RandomFit(long seed) {
        this.seed = seed;
    }

    /** Returns the policy with this seed. */
    public static RandomFit of(long seed) {
        return new RandomFit(seed);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long podHash = mix(seed + pod.id().hashCode() * 0x9E3779B97F4A7C15L);
        long nodeHash = mix(podHash ^ before.name().hashCode() * 0xC2B2AE3D27D4EB4FL);
        long gpus = 0;
        for (int g = 0; g < before.gpuCount(); g++) {
            gpus |= Delta.takes(before, after, g) ? 1L << g : 0;
        }
        return nodeHash >> 16 << 16 | mix(nodeHash ^ gpus) >>> 48;
    }

    /** The finaliser of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    @Override
    public Scope scope() {
        return Scope.POD;
    }

    @Override
    public String toString() {
        return "random(" + seed + ")";
    }
}
