package io.gpusched.internal.index;

import io.gpusched.internal.tree.BufferedTree;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a node must have at least before a search looks at it closely.
 *
 * <p>A query is a necessary condition that the cluster's tree can test for a whole subtree at once. Nodes that are
 * cordoned, full of pods or held as a whole have no capacity of any kind. CPU and memory count in steps of at most 1/16,000 of
 * what a node has, so a search must still compare them.
 */
public final class CapacityQuery {
    /** The buckets of {@link NodeSummaryEncoder} of which a node must be in one, as a mask over one word of them. */
    private final int word;

    private final long mask;
    private final Resources resources;

    private CapacityQuery(int word, long mask, Resources resources) {
        this.word = word;
        this.mask = mask;
        this.resources = resources;
    }

    private static CapacityQuery inBucket(int bucket, Resources resources) {
        return new CapacityQuery(bucket >> 6, 1L << bucket, resources);
    }

    /** Asks for a node with this CPU and memory free, whatever its GPUs. */
    public static CapacityQuery of(Resources resources) {
        return new CapacityQuery(0, NodeSummaryEncoder.ANY_IDLE, resources);
    }

    /**
     * Asks for a node with exactly this many idle GPUs; from nine on a node with nine or more also passes.
     */
    public static CapacityQuery withIdleGpus(int count, Resources resources) {
        return inBucket(Math.min(count, NodeSummaryEncoder.MANY_IDLE), resources);
    }

    /** Asks for a node with at least this many idle GPUs; with at least nine where it is more. */
    public static CapacityQuery withIdleGpusOrMore(int count, Resources resources) {
        long fewer = (1L << Math.min(count, NodeSummaryEncoder.MANY_IDLE)) - 1;
        return new CapacityQuery(0, NodeSummaryEncoder.ANY_IDLE & ~fewer, resources);
    }

    /**
     * Asks for a node with an idle GPU, or a shared one with at least {@code percent} left of its compute or of its memory: such a
     * node passes one of these queries at least.
     */
    public static List<CapacityQuery> withIdleGpuOrLevel(int percent, Resources resources) {
        List<CapacityQuery> queries = new ArrayList<>();
        for (int word = 0; word < NodeSummaryEncoder.BUCKET_WORDS; word++) {
            long mask = NodeSummaryEncoder.sharedFrom(percent, word);
            mask |= word == 0 ? NodeSummaryEncoder.ANY_IDLE & ~1L : 0;
            if (mask != 0) {
                queries.add(new CapacityQuery(word, mask, resources));
            }
        }
        return queries;
    }

    /** Asks for a node on which nothing runs and whose GPUs, at least one, are all healthy. */
    public static CapacityQuery emptyNode(Resources resources) {
        return inBucket(NodeSummaryEncoder.EMPTY, resources);
    }

    /** Asks for a node that has a shared GPU with {@code percent} (rounded down) of its compute left. */
    public static CapacityQuery withComputeLevel(int percent, Resources resources) {
        return inBucket(NodeSummaryEncoder.computeBucket(percent), resources);
    }

    /**
     * Asks for a node that has a shared GPU with {@code percent} (rounded down) of its memory left; one with as
     * much of its compute left may also pass.
     */
    public static CapacityQuery withMemoryLevel(int percent, Resources resources) {
        int compute = NodeSummaryEncoder.computeBucket(percent);
        int memory = NodeSummaryEncoder.memoryBucket(percent);
        return new CapacityQuery(compute >> 6, 1L << compute | 1L << memory, resources);
    }

    /** Asks for a node that has a GPU which is cut into partitions and whose state is of this level. */
    public static CapacityQuery withPartitions(int level, Resources resources) {
        return inBucket(NodeSummaryEncoder.partitionBucket(level), resources);
    }

    /** Which 64 buckets of {@link NodeSummaryEncoder} are meant by {@link #mask}. */
    public int word() {
        return word;
    }

    /** The buckets of which a node must be in one. */
    public long mask() {
        return mask;
    }

    /** Whether no node of a class can ever have so much. */
    public boolean isBeyond(NodeClass nodeClass) {
        Resources capacity = nodeClass.capacity();
        return resources.cpuMillis() > capacity.cpuMillis() || resources.memoryMib() > capacity.memoryMib();
    }

    /** The least amounts of a node, as the {@link NodeSummaryEncoder} of its class encodes them. */
    public long least(NodeClass nodeClass) {
        return NodeSummaryEncoder.entry(resources.cpuMillis(), resources.memoryMib(), nodeClass.capacity());
    }

    @Nullable
    NodeState first(
            BufferedTree<NodeState> tree, NodeClass nodeClass, NodeRange range, Predicate<? super NodeState> wanted) {
        return isBeyond(nodeClass) ? null : tree.first(word, mask, least(nodeClass), range.from(), range.to(), wanted);
    }
}
