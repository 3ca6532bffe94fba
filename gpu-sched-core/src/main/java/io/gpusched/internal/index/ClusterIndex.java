package io.gpusched.internal.index;

import io.gpusched.internal.access.ModelAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/** What a snapshot knows of its nodes so that searches need not look at all of them. Immutable and thread-safe. */
public final class ClusterIndex {
    private final List<ClassIndex> classes;
    private final int size;
    private final IntFunction<NodeState> byOrder;

    /** Takes over the list. */
    public ClusterIndex(List<ClassIndex> classes, int size, IntFunction<NodeState> byOrder) {
        this.classes = classes;
        this.size = size;
        this.byOrder = byOrder;
    }

    /** Returns the index of a snapshot. */
    public static ClusterIndex of(Cluster cluster) {
        return ModelAccess.instance().index(cluster);
    }

    /** Returns the classes of its nodes. */
    public List<ClassIndex> classes() {
        return classes;
    }

    /** Returns the nodes of a range in node order; O(log n) for each. */
    public Iterable<NodeState> nodes(NodeRange range) {
        return () -> LongStream.range(range.from(), Math.min(range.to(), size))
                .mapToObj(order -> byOrder.apply((int) order))
                .iterator();
    }
}
