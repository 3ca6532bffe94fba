package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;

/** The scores of {@link io.gpusched.policy.RandomFit}: hashes, of which a pod and a node alone decide all but the lowest bits. */
public final class RandomScores {
    private static final int BITS_OF_GPUS = 16;

    private RandomScores() {}

    /**
     * Returns the score of a way to place a pod.
     *
     * @param podHash the hash of the pod
     * @param gpus the GPUs that it takes of the node
     */
    public static long of(long podHash, NodeState node, long gpus) {
        long nodeHash = nodeHash(podHash, node);
        return nodeHash >> BITS_OF_GPUS << BITS_OF_GPUS | mix(nodeHash ^ gpus) >>> Long.SIZE - BITS_OF_GPUS;
    }

    /** Returns a score that no way to place a pod on a node exceeds. */
    public static long most(long podHash, NodeState node) {
        return nodeHash(podHash, node) | (1L << BITS_OF_GPUS) - 1;
    }

    private static long nodeHash(long podHash, NodeState node) {
        return mix(podHash ^ node.name().hashCode() * 0xC2B2AE3D27D4EB4FL);
    }

    /** The finaliser of SplitMix64. */
    public static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
