package io.gpusched.internal.index;

import io.gpusched.internal.tree.Lanes;
import io.gpusched.internal.tree.SummaryFormat;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionTable;
import org.jspecify.annotations.Nullable;

/**
 * What the tree of a node class knows about the nodes below a branch.
 *
 * <p>A bucket stands for a kind of free capacity: a number of idle GPUs, an empty node, and for each whole percent a shared GPU
 * with that much of its compute, or of its memory, left. Most shares take as much of the one as of the other; then the bucket
 * of compute stands for both. Other buckets stand for what a device that is cut into partitions still has room for (see
 * {@link io.gpusched.model.partition.PartitionStates}). A node is in the buckets of all the kinds it has, and for each bucket the tree keeps the greatest free CPU, the greatest free memory, and the greatest amount that is free of both
 * (the lesser of the two, each as a part of what a node has). So a search for "two idle GPUs and 12 cores" passes by a
 * subtree where the one is only to be had without the other, and a search for cores and memory one where some nodes
 * have cores left and others memory. Beside them the sums of idle GPUs and of empty nodes.
 */
public final class NodeSummaryEncoder implements SummaryFormat<NodeState> {
    /** Buckets 0..8 are that many idle GPUs, bucket 9 is nine and more; a node that takes pods is in exactly one of them. */
    static final int MANY_IDLE = 9;

    static final int EMPTY = 10;
    static final long ANY_IDLE = (1L << EMPTY) - 1;

    /** For each level a bucket of compute, and next to it, in the same word, one of memory. */
    private static final int SHARED = 12;

    private static final int LEVELS = 101;
    static final int BUCKET_WORDS = 4;

    /** Behind those of shares, all in the last word: a bucket for each level of a device that is cut into partitions. */
    private static final int PARTITIONS = SHARED + 2 * LEVELS;

    /*
     * A digest: bits 0..11 the buckets of idle GPUs and empty nodes, 20..26 idle GPUs, 27..41 free CPU and 42..56 free memory in
     * the steps of the class, plus 1. All bits are 0 where nothing may be placed.
     */
    private static final long DIGEST_BUCKETS = (1L << SHARED) - 1;
    private static final int IDLE_SHIFT = 20;
    private static final int CPU_SHIFT = 27;
    private static final int MEMORY_SHIFT = 42;

    /** What free amounts are measured by: no node of the tree has more. */
    private final Resources capacity;

    private NodeSummaryEncoder(Resources capacity) {
        this.capacity = capacity;
    }

    /** Returns the encoder for nodes of at most this capacity. */
    public static NodeSummaryEncoder of(Resources capacity) {
        return new NodeSummaryEncoder(capacity);
    }

    /** The entry for free amounts on a node, or for what is asked, in a class of nodes of this capacity. */
    static long entry(long cpuMillis, long memoryMib, Resources capacity) {
        return entry(steps(cpuMillis, capacity.cpuMillis()), steps(memoryMib, capacity.memoryMib()));
    }

    private static long entry(long cpu, long memory) {
        return cpu | memory << 16 | Math.min(cpu, memory) << 32;
    }

    /** An amount in steps of a capacity: 1..32,767, never less for more. */
    static long steps(long amount, long capacity) {
        // a power of two: to divide takes long
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(capacity) - Integer.bitCount(Lanes.MAX));
        return (amount >> (capacity >> shift == Lanes.MAX ? shift + 1 : shift)) + 1;
    }

    /** The bucket of nodes that have a shared GPU with this much of its compute left. */
    static int computeBucket(int level) {
        return SHARED + 2 * level;
    }

    /** The bucket of nodes that have a shared GPU with this much of its memory left, but not as much of its compute. */
    static int memoryBucket(int level) {
        return computeBucket(level) + 1;
    }

    /** The buckets of shared GPUs with at least this much left, of compute or of memory, as a mask over one word of buckets. */
    static long sharedFrom(int level, int word) {
        int from = Math.max(0, computeBucket(Math.min(level, LEVELS)) - Long.SIZE * word);
        int to = Math.min(Long.SIZE, PARTITIONS - Long.SIZE * word);
        return from >= to ? 0 : -1L << from & -1L >>> Long.SIZE - to;
    }

    /** Finds the first bucket from one number up to but not including another that any node is in, or one before it; -1 if there is none. */
    public interface NextBucket {
        int from(int from, int to);
    }

    /** The least level, at least {@code percent}, of the compute or the memory of any shared GPU; -1 if there is none. */
    public static int nextLevel(NextBucket buckets, int percent) {
        int next = buckets.from(computeBucket(percent), computeBucket(LEVELS));
        return next < 0 ? -1 : (next - SHARED) / 2;
    }

    /** Whether any device that is cut into partitions may be at this level. */
    public static boolean hasPartitions(NextBucket buckets, int level) {
        int bucket = partitionBucket(level);
        return buckets.from(bucket, bucket + 1) >= 0;
    }

    /** The bucket of nodes that have a device that is cut into partitions and is at this level. */
    static int partitionBucket(int level) {
        return PARTITIONS + level;
    }

    static long idleGpus(long count) {
        return count & 0xFFFF_FFFFL;
    }

    static long emptyNodes(long count) {
        return count >>> 32;
    }

    @Override
    public long digest(NodeState node) {
        if (node.isClosed()) {
            return 0;
        }
        int idle = node.idleGpus();
        long buckets = 1L << Math.min(idle, MANY_IDLE);
        if (node.isEmpty() && idle > 0 && idle == node.gpuCount()) {
            buckets |= 1L << EMPTY;
        }
        return buckets
                | (long) idle << IDLE_SHIFT
                | steps(node.freeCpuMillis(), capacity.cpuMillis()) << CPU_SHIFT
                | steps(node.freeMemoryMib(), capacity.memoryMib()) << MEMORY_SHIFT;
    }

    @Override
    public long entry(long digest) {
        return entry(digest >>> CPU_SHIFT & Lanes.MAX, digest >>> MEMORY_SHIFT & Lanes.MAX);
    }

    @Override
    public long count(long digest) {
        return (digest >>> IDLE_SHIFT & 0x7F) | (digest >>> EMPTY & 1) << 32;
    }

    @Override
    public long buckets(long digest) {
        return digest & DIGEST_BUCKETS;
    }

    @Override
    public long @Nullable [] moreBuckets(NodeState node) {
        long cut = node.cutMask();
        if ((node.sharedMask() | cut) == 0 || node.isClosed()) {
            return null;
        }
        long[] buckets = new long[BUCKET_WORDS];
        addPartitions(node, cut, buckets);
        int last = -1;
        for (long rest = node.sharedMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            // many a GPU is as full as the one before, and to divide takes long
            if (node.freeSlots(gpu) > 0 && (last < 0 || !node.isInterchangeable(gpu, last))) {
                int compute = computeLevel(node, gpu);
                int memory = memoryLevel(node, gpu, compute);
                add(buckets, computeBucket(compute));
                if (memory != compute) {
                    add(buckets, memoryBucket(memory));
                }
                last = gpu;
            }
        }
        return buckets;
    }

    private static void addPartitions(NodeState node, long cut, long[] buckets) {
        for (long rest = cut; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            PartitionTable table = node.nodeClass().partitions(gpu);
            if (table != null && node.isHealthy(gpu) && !node.isWhole(gpu)) {
                add(buckets, partitionBucket(table.level(node.partitionWord(gpu))));
            }
        }
    }

    private static void add(long[] buckets, int bucket) {
        buckets[bucket >> 6] |= 1L << bucket;
    }

    private static int computeLevel(NodeState node, int gpu) {
        return node.freeComputeMillis(gpu)
                * 100
                / node.nodeClass().gpus().get(gpu).computeMillis();
    }

    /** The level of memory, which most likely is this one: to multiply is faster than to divide. */
    private static int memoryLevel(NodeState node, int gpu, int likely) {
        long all = node.nodeClass().gpus().get(gpu).memoryMib();
        long left = node.freeMemoryMib(gpu);
        if (left == all) {
            return 100;
        }
        long above = left * 100 - likely * all;
        return above >= 0 && above < all ? likely : (int) (left * 100 / all);
    }
}
