package io.gpusched.model;

import java.util.Arrays;

/** What is held of the GPUs of a node: the part of a {@link NodeState} that knows nothing of pods. */
abstract class GpuState {
    private final NodeClass nodeClass;

    /** Which GPUs are healthy, by index. */
    private final long healthyMask;

    /** Which GPUs are held whole. */
    private final long wholeMask;

    /** Which GPUs are held in parts. */
    private final long sharedMask;

    /** Of each GPU the {@link GpuWord} of what is held of it in parts; {@link Holdings#NO_SHARES} if nothing is. */
    private final long[] shares;

    /**
     * @param sharedMask the {@link Holdings#held} of the shares
     * @param shares of each GPU what is held of it in parts; what they are does not matter where none is held
     */
    GpuState(NodeClass nodeClass, long healthyMask, long wholeMask, long sharedMask, long[] shares) {
        this.nodeClass = nodeClass;
        this.healthyMask = healthyMask;
        this.wholeMask = wholeMask;
        this.sharedMask = sharedMask;
        this.shares = sharedMask == 0 ? Holdings.NO_SHARES : shares;
    }

    /** Returns the class of nodes it belongs to. */
    public NodeClass nodeClass() {
        return nodeClass;
    }

    /** Returns the number of GPUs, healthy or not. */
    public int gpuCount() {
        return nodeClass.gpus().size();
    }

    /** Returns the number of healthy GPUs of which nobody holds anything. */
    public int idleGpus() {
        return Long.bitCount(idleMask());
    }

    /** Returns which GPUs are healthy and nobody's, as a bit mask by index. */
    public long idleMask() {
        return healthyMask & ~wholeMask & ~sharedMask;
    }

    /** Returns whether a GPU is healthy and nobody holds anything of it. */
    public boolean isIdle(int gpu) {
        return (idleMask() >>> gpu & 1) != 0;
    }

    /** Returns whether one pod holds a GPU whole. */
    public boolean isWhole(int gpu) {
        return (wholeMask >>> gpu & 1) != 0;
    }

    /** Returns whether parts of a GPU are held. */
    public boolean isShared(int gpu) {
        return hasSharedGpus() && shares[gpu] != 0;
    }

    /** Returns which GPUs, healthy or not, parts are held of, as a bit mask by index. */
    public long sharedMask() {
        return sharedMask;
    }

    public boolean hasSharedGpus() {
        return shares.length > 0;
    }

    /** Returns whether all GPUs are healthy. */
    public boolean isHealthy() {
        return Long.bitCount(healthyMask) == gpuCount();
    }

    /** Returns whether a GPU is healthy. */
    public boolean isHealthy(int gpu) {
        return (healthyMask >>> gpu & 1) != 0;
    }

    /** Returns the compute of a GPU that may still be given away, in milli; 0 if it is held whole or not healthy. */
    public int freeComputeMillis(int gpu) {
        return isShut(gpu) ? 0 : nodeClass.gpus().get(gpu).computeMillis() - GpuWord.compute(share(gpu));
    }

    /** Returns the memory of a GPU that may still be given away, in MiB; 0 if it is held whole or not healthy. */
    public long freeMemoryMib(int gpu) {
        return isShut(gpu) ? 0 : nodeClass.gpus().get(gpu).memoryMib() - GpuWord.memory(share(gpu));
    }

    /** Returns the slots of a GPU that may still be given away; 0 if it is held whole or not healthy. */
    public int freeSlots(int gpu) {
        return isShut(gpu) ? 0 : nodeClass.gpus().get(gpu).slots() - GpuWord.slots(share(gpu));
    }

    /** Returns the compute that may still be given away on all GPUs together, in milli; O(GPUs). */
    public long freeComputeMillis() {
        long sum = 0;
        for (int g = 0; g < gpuCount(); g++) {
            sum += freeComputeMillis(g);
        }
        return sum;
    }

    private boolean isShut(int gpu) {
        return ((wholeMask | ~healthyMask) >>> gpu & 1) != 0;
    }

    /**
     * Returns whether the GPUs cannot be told apart by a tenant: equal hardware, health and use.
     */
    public boolean isInterchangeable(int gpu, int other) {
        return word(gpu) == word(other) && isHealthy(gpu) == isHealthy(other) && nodeClass.areOfOneKind(gpu, other);
    }

    /** The GPUs of which something else may be held than in another state of this node. */
    long differingGpus(GpuState other) {
        return wholeMask ^ other.wholeMask | differingShares(other);
    }

    @SuppressWarnings("ReferenceEquality") // what did not change is shared
    private long differingShares(GpuState other) {
        if (shares == other.shares) {
            return 0;
        }
        if (shares.length != other.shares.length) {
            return sharedMask | other.sharedMask;
        }
        long differing = 0;
        for (int g = 0; g < shares.length; g++) {
            differing |= shares[g] != other.shares[g] ? 1L << g : 0;
        }
        return differing;
    }

    /** Everything that is held of a GPU. */
    long word(int gpu) {
        return isWhole(gpu) ? GpuWord.WHOLE : share(gpu);
    }

    private long share(int gpu) {
        return shares.length == 0 ? 0 : shares[gpu];
    }

    long healthyMask() {
        return healthyMask;
    }

    long wholeMask() {
        return wholeMask;
    }

    /** Not to be written to. */
    long[] shares() {
        return shares;
    }

    /** Whether each GPU is as healthy and as much held as the same GPU of another node. */
    boolean sameGpus(GpuState other) {
        return healthyMask == other.healthyMask && wholeMask == other.wholeMask && Arrays.equals(shares, other.shares);
    }

    /** Mixes into a hash what {@link #sameGpus} compares, health aside. */
    long hashGpus(long seed) {
        long hash = (seed ^ wholeMask) * 0x9E3779B97F4A7C15L;
        for (long word : shares) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
