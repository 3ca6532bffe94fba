package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of the GPUs of a node: some whole, of some a part.
 *
 * @param whole the GPUs held whole, as a mask by index
 * @param parts the GPUs held in part, as a mask by index
 * @param cut the GPUs among them that are cut into partitions; their words are words of their geometries
 * @param word the {@link GpuWord} of what is held of the one GPU held in part, if it is only one and {@code shares} is
 *     empty
 * @param shares the {@link GpuWord} of what is held of each GPU in parts, or {@link #NO_SHARES}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Holdings(long whole, long parts, long cut, long word, long[] shares) {
    /** Nothing is held in parts: not one word for each GPU, but none at all. */
    static final long[] NO_SHARES = {};

    static final Holdings NOTHING = new Holdings(0, 0, 0, 0, NO_SHARES);

    /**
     * What these containers take where that does not depend on the node, as for a pod of one container that holds whole
     * GPUs or a part of one; else null.
     */
    static @Nullable Holdings simple(List<ContainerGrant> containers) {
        GpuGrant only = GpuGrant.none();
        for (int i = 0; i < containers.size(); i++) {
            ContainerGrant container = containers.get(i);
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.kind() == ContainerKind.INIT || !(only instanceof GpuGrant.None)) {
                return null;
            }
            only = container.gpus();
        }
        return simple(only);
    }

    private static @Nullable Holdings simple(GpuGrant grant) {
        if (grant instanceof GpuGrant.Whole list) {
            long mask = 0;
            for (int i = 0; i < list.gpus().size(); i++) {
                mask |= 1L << list.gpus().get(i);
            }
            return ofWhole(mask);
        }
        if (grant instanceof GpuGrant.Shared shared && shared.shares().size() == 1) {
            GpuShare share = shared.shares().get(0);
            return ofPart(1L << share.gpu(), share.word());
        }
        if (grant instanceof GpuGrant.WholeNode all) {
            return ofWhole(-1L >>> (Long.SIZE - all.gpuCount()));
        }
        return grant instanceof GpuGrant.None ? NOTHING : null;
    }

    /**
     * Returns whether a node has such GPUs and each is large enough for what is taken of it.
     *
     * @param wholeNode whether it must be all of them
     */
    boolean goesWith(List<Gpu> gpus, boolean wholeNode) {
        long all = whole | parts;
        int count = gpus.size();
        if (count < Long.SIZE && all >>> count != 0 || wholeNode && Long.bitCount(all) != count) {
            return false;
        }
        return parts == 0 || GpuShare.sumFits(0, word, gpus.get(Long.numberOfTrailingZeros(parts)));
    }

    static Holdings ofWhole(long gpus) {
        return new Holdings(gpus, 0, 0, 0, NO_SHARES);
    }

    /** This much of one GPU, or nothing at all. */
    static Holdings ofPart(long gpu, long word) {
        return new Holdings(0, gpu, 0, word, NO_SHARES);
    }

    /** Partitions of one GPU. */
    static Holdings ofPartitions(long gpu, long word) {
        return new Holdings(0, gpu, gpu, word, NO_SHARES);
    }

    /**
     * Some GPUs whole, and of each the word of what is held of it in parts.
     *
     * @param cut the GPUs with held partitions
     */
    static Holdings of(long whole, long cut, long[] shares) {
        return new Holdings(whole, held(shares), cut, 0, shares);
    }

    /** The GPUs that are held in parts. */
    static long held(long[] shares) {
        long held = 0;
        for (int g = 0; g < shares.length; g++) {
            held |= shares[g] != 0 ? 1L << g : 0;
        }
        return held;
    }

    /**
     * The GPUs that are held in parts, where that is known of all but a few.
     *
     * @param before the GPUs that were held in parts
     * @param changed the GPUs whose parts may have changed
     */
    static long held(long[] shares, long before, long changed) {
        long held = before;
        for (long rest = changed; rest != 0; rest &= rest - 1) {
            long gpu = Long.lowestOneBit(rest);
            held = shares[Long.numberOfTrailingZeros(rest)] == 0 ? held & ~gpu : held | gpu;
        }
        return held;
    }

    /** The {@link GpuWord} of what is held of a GPU in parts. */
    long share(int gpu) {
        return (parts >>> gpu & 1) == 0 ? 0 : shares.length == 0 ? word : shares[gpu];
    }

    /** Returns the shares of a node with so many GPUs once these are taken too. */
    long[] addedTo(long[] used, int gpus) {
        if (parts == 0) {
            return used;
        }
        long[] sum = used.length == 0 ? new long[gpus] : used.clone();
        for (long rest = parts; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            sum[gpu] += share(gpu);
        }
        return sum;
    }

    /** Returns the shares of a node once these are given back; all may be 0. */
    long[] takenFrom(long[] used) {
        if (parts == 0) {
            return used;
        }
        long[] left = used.clone();
        for (long rest = parts; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            left[gpu] -= share(gpu);
        }
        return left;
    }
}
