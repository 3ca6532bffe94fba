package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.index.NodeSummaryEncoder;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The nodes of one tree of a snapshot that labels, taints and rules admit to a pod. Good until another pod is asked for. */
final class AdmittedNodes implements NodeIndex {
    private final SlotTable nodes;
    private final CapacityMap capacity;
    private final NodeClass nodeClass;
    private final int tree;
    private final SlotSet[] sets;
    private final IntPredicate test;

    /**
     * @param tree the position of the tree, and its class
     * @param sets bitmaps that have in common all nodes that are admitted, and perhaps others
     * @param test tells by slot which are
     */
    AdmittedNodes(
            SlotTable nodes, CapacityMap capacity, int tree, NodeClass nodeClass, SlotSet[] sets, IntPredicate test) {
        this.nodes = nodes;
        this.capacity = capacity;
        this.nodeClass = nodeClass;
        this.tree = tree;
        this.sets = sets;
        this.test = test;
    }

    @Override
    public NodeClass nodeClass() {
        return nodeClass;
    }

    @Override
    public boolean isOfAdmitted() {
        return true;
    }

    @Override
    public @Nullable NodeState first(CapacityQuery query, NodeRange range, Predicate<? super NodeState> wanted) {
        return query.isBeyond(nodeClass)
                ? null
                : new Merge(
                                capacity.walk(query, query.least(nodeClass), sets, nodes.start(tree, range.from())),
                                range,
                                wanted)
                        .first();
    }

    @Override
    public int nextSharedLevel(int percent) {
        return NodeSummaryEncoder.nextLevel(capacity::nextBucket, percent);
    }

    @Override
    public boolean mayHavePartitions(int level) {
        return NodeSummaryEncoder.hasPartitions(capacity::nextBucket, level);
    }

    /** Looks at the nodes and at those that came later in one order. */
    private final class Merge {
        private final CapacityWalk walk;
        private final NodeRange range;
        private final Predicate<? super NodeState> wanted;
        private final IntArrayList late = nodes.late();
        private int nextLate;

        Merge(CapacityWalk walk, NodeRange range, Predicate<? super NodeState> wanted) {
            this.walk = walk;
            this.range = range;
            this.wanted = wanted;
        }

        @Nullable
        NodeState first() {
            int end = nodes.end(tree);
            boolean anyOrder = late.isEmpty() && range.to() == Long.MAX_VALUE;
            for (int slot = walk.next(); slot >= 0 && slot < end; slot = walk.next()) {
                long order = anyOrder ? range.from() : nodes.order(slot);
                NodeState later = order < range.to() ? lateBefore(order) : null;
                if (later != null) {
                    return later;
                }
                if (order >= range.to()) {
                    break;
                }
                if (isWanted(slot)) {
                    return nodes.state(slot);
                }
            }
            return lateBefore(range.to());
        }

        private @Nullable NodeState lateBefore(long end) {
            for (; nextLate < late.size(); nextLate++) {
                int slot = late.getInt(nextLate);
                long order = nodes.order(slot);
                if (order >= end) {
                    return null;
                }
                if (order >= range.from()
                        && walk.accepts(slot)
                        && NodeAccess.tree(nodes.state(slot)) == tree
                        && isWanted(slot)) {
                    return nodes.state(slot);
                }
            }
            return null;
        }

        private boolean isWanted(int slot) {
            return test.test(slot) && wanted.test(nodes.state(slot));
        }
    }
}
