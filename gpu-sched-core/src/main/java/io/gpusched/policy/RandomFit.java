package io.gpusched.policy;

import io.gpusched.internal.lookahead.NodeChange;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes any node that has room with the same chance, and there any of the ways to use its GPUs that differ; a baseline to
 * compare with. Of GPUs that are alike the lowest index is taken.
 *
 * <p>A scheduler draws up to 32 nodes, by their places in the node order, and takes the first that has room. Only if none
 * has, it takes, of the first eight nodes with room from the next drawn one on (after the last node the first follows), the
 * one that scores highest; within a domain it takes the highest score. Draws are hashes of the seed and the pod's id, scores
 * hashes of these, the node's name and the GPUs, so that the choice is the same on every run. A decision typically costs
 * O(log n). Immutable and thread-safe.
 */
public final class RandomFit implements PlacementPolicy {
    /** The lowest bits of a score, in which ways to place a pod on one node differ. */
    private static final int BITS_OF_GPUS = 16;

    private final long seed;

    private RandomFit(long seed) {
        this.seed = seed;
    }

    /** Returns the policy with this seed. */
    public static RandomFit of(long seed) {
        return new RandomFit(seed);
    }

    /** Returns the random number of a pod with this number among its draws; all 64 bits are random. */
    public long hash(PodId pod, int draw) {
        Objects.requireNonNull(pod, "pod");
        long podHash = mix(seed + pod.hashCode() * 0x9E3779B97F4A7C15L);
        return mix(podHash + draw * 0xD1342543DE82EF95L);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long gpus = 0;
        for (int g = 0; g < before.gpuCount(); g++) {
            gpus |= NodeChange.takes(before, after, g) ? 1L << g : 0;
        }
        long nodeHash = mix(hash(pod.id(), 0) ^ before.name().hashCode() * 0xC2B2AE3D27D4EB4FL);
        return nodeHash >> BITS_OF_GPUS << BITS_OF_GPUS | mix(nodeHash ^ gpus) >>> Long.SIZE - BITS_OF_GPUS;
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
    public boolean equals(@Nullable Object other) {
        return other instanceof RandomFit random && random.seed == seed;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(seed);
    }

    @Override
    public String toString() {
        return "random(" + seed + ")";
    }
}
