package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.partition.PartitionTable;
import java.util.List;

/** What is held of each GPU of a node, and which of them are healthy. Knows nothing of pods. Immutable. */
final class GpuUsage {
    /** Which GPUs are healthy, by index. */
    private final long healthyMask;

    /** Which GPUs are held whole. */
    private final long wholeMask;

    /** Which GPUs are held in parts, be it shares or partitions. */
    private final long partsMask;

    /** Which GPUs are cut into partitions, held or not. */
    private final long cutMask;

    /**
     * Of each GPU the {@link GpuWord} of what is held of it in parts, or the word of the partitions that are held if it is cut;
     * {@link Holdings#NO_SHARES} if nothing is.
     */
    private final long[] shares;

    private GpuUsage(long healthyMask, long wholeMask, long partsMask, long cutMask, long[] shares) {
        this.healthyMask = healthyMask;
        this.wholeMask = wholeMask;
        this.partsMask = partsMask;
        this.cutMask = cutMask;
        this.shares = partsMask == 0 ? Holdings.NO_SHARES : shares;
    }

    /** Returns the usage of these GPUs when nothing is held. */
    static GpuUsage of(List<Gpu> gpus) {
        return new GpuUsage(healthyMask(gpus), 0, 0, NodeClass.alwaysCut(gpus), Holdings.NO_SHARES);
    }

    private static long healthyMask(List<Gpu> gpus) {
        long healthy = 0;
        for (int i = 0; i < gpus.size(); i++) {
            healthy |= gpus.get(i).healthy() ? 1L << i : 0;
        }
        return healthy;
    }

    /** Returns the usage of so many GPUs once something, which must be free, is taken too. */
    GpuUsage plus(Holdings taken, int gpus) {
        if ((taken.whole() | taken.parts()) == 0) {
            return this;
        }
        long[] sum = taken.addedTo(shares, gpus);
        return new GpuUsage(
                healthyMask,
                wholeMask | taken.whole(),
                Holdings.held(sum, partsMask, taken.parts()),
                cutMask | taken.cut(),
                sum);
    }

    /**
     * Returns the usage once something that was taken is given back.
     *
     * @param alwaysCut the GPUs that stay cut though nothing of them is held
     */
    GpuUsage minus(Holdings left, long alwaysCut) {
        if ((left.whole() | left.parts()) == 0) {
            return this;
        }
        long[] rest = left.takenFrom(shares);
        long held = Holdings.held(rest, partsMask, left.parts());
        return new GpuUsage(
                healthyMask, wholeMask & ~left.whole(), held, cutMask & (held | ~left.cut() | alwaysCut), rest);
    }

    /** Returns which GPUs are healthy and held by no pod. */
    long idleMask() {
        return healthyMask & ~wholeMask & ~partsMask & ~cutMask;
    }

    /** Returns which GPUs, healthy or not, shares are held of. */
    long sharedMask() {
        return partsMask & ~cutMask;
    }

    /** Returns which GPUs, healthy or not, are cut into partitions, held or not. */
    long cutMask() {
        return cutMask;
    }

    boolean isCut(int gpu) {
        return (cutMask >>> gpu & 1) != 0;
    }

    /** Returns which GPUs are healthy. */
    long healthyMask() {
        return healthyMask;
    }

    boolean isHealthy(int gpu) {
        return (healthyMask >>> gpu & 1) != 0;
    }

    /** Returns whether one pod holds a GPU whole. */
    boolean isWhole(int gpu) {
        return (wholeMask >>> gpu & 1) != 0;
    }

    /** Returns whether nothing more of a GPU may be given away, whatever is left of it. */
    boolean isShut(int gpu) {
        return ((wholeMask | ~healthyMask) >>> gpu & 1) != 0;
    }

    /** Returns the {@link GpuWord} of what is held of a GPU in parts, or the word of its partitions if it is cut. */
    long share(int gpu) {
        return shares.length == 0 ? 0 : shares[gpu];
    }

    /** Returns the {@link GpuWord} of everything that is held of a GPU, or the word of its partitions if it is cut. */
    long word(int gpu) {
        return isWhole(gpu) ? GpuWord.WHOLE : share(gpu);
    }

    /** Returns the {@link GpuWord} of what is held of a GPU: all of it if it is held whole, of one that is cut at most what it has. */
    long held(int gpu, Gpu device) {
        if (isCut(gpu)) {
            PartitionTable table = device.partitions().table();
            return GpuWord.of(
                    Math.min(device.computeMillis(), table.computeMillis(share(gpu))),
                    Math.min(device.memoryMib(), table.memoryMib(share(gpu))),
                    table.instances(share(gpu)));
        }
        return isWhole(gpu) ? device.word() : share(gpu);
    }

    /** Returns whether the same is held of two GPUs, and both are healthy or neither is. */
    boolean isSame(int gpu, int other) {
        long differing = wholeMask >>> gpu ^ wholeMask >>> other;
        differing |= cutMask >>> gpu ^ cutMask >>> other;
        differing |= healthyMask >>> gpu ^ healthyMask >>> other;
        return (differing & 1) == 0 && share(gpu) == share(other);
    }

    /** Returns the GPUs whose holdings may differ from another usage of the same GPUs. */
    long differing(GpuUsage other) {
        return wholeMask ^ other.wholeMask | differingShares(other);
    }

    @SuppressWarnings("ReferenceEquality") // what did not change is shared
    private long differingShares(GpuUsage other) {
        if (shares == other.shares) {
            return 0;
        }
        if (shares.length != other.shares.length) {
            return partsMask | other.partsMask;
        }
        long differing = 0;
        for (int g = 0; g < shares.length; g++) {
            differing |= shares[g] != other.shares[g] ? 1L << g : 0;
        }
        return differing;
    }
}
