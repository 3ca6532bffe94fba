package io.gpusched.internal.index;

import io.gpusched.internal.index.NodeDirectory.Move;
import io.gpusched.internal.tree.BufferedTree;
import io.gpusched.internal.tree.KeyedTree;
import io.gpusched.internal.tree.OrderKeys;
import io.gpusched.internal.tree.SummaryFormat;
import io.gpusched.model.Node;
import io.gpusched.model.Topology;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a snapshot in node order: by topology, then by name. Each has a key that tells its place; keys have gaps, so
 * that a node may enter without changing the keys of others, but for the few around it when a gap is used up. All operations
 * cost O(log n) on the average of many. Immutable and thread-safe.
 */
final class NodeOrder {
    static final NodeOrder EMPTY = new NodeOrder(BufferedTree.empty(SummaryFormat.counting()), 0);

    private final BufferedTree<NodeLocation> tree;
    private final int size;

    private NodeOrder(BufferedTree<NodeLocation> tree, int size) {
        this.tree = tree;
        this.size = size;
    }

    /** Returns the order of these locations, whose keys ascend. */
    static NodeOrder of(NodeLocation[] sorted) {
        long[] keys = new long[sorted.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = sorted[i].order();
        }
        return new NodeOrder(BufferedTree.of(KeyedTree.of(SummaryFormat.counting(), keys, sorted)), keys.length);
    }

    /** Returns the number of nodes. */
    int size() {
        return size;
    }

    /** Returns the node at this place, from 0. */
    NodeLocation at(int rank) {
        return tree.select(rank);
    }

    /** Returns the number of nodes whose key is less. */
    int rank(long key) {
        return (int) tree.rank(key);
    }

    /** Returns the number of nodes before the first that passes a test, which all after it must pass, too. */
    private int rankOf(Predicate<NodeLocation> test) {
        OptionalLong key = tree.lowerBound(test);
        return key.isPresent() ? rank(key.getAsLong()) : size;
    }

    /** Returns the place after the last node that stands at exactly this place of the topology, of which there must be one. */
    int endOf(Topology topology) {
        return rankOf(location -> location.topology().compareTo(topology) > 0);
    }

    /** Returns the place after the last node of a domain, of which there must be one. */
    int endBelow(Topology domain) {
        int depth = domain.domains().size();
        return rankOf(
                location -> location.topology().compareTo(domain) > 0 && !isBelow(location.topology(), domain, depth));
    }

    private static boolean isBelow(Topology topology, Topology domain, int depth) {
        return topology.domains().size() >= depth
                && topology.domains().subList(0, depth).equals(domain.domains());
    }

    /** An order with one more node, and the nodes whose keys had to change for it. */
    record Insertion(NodeOrder order, NodeLocation added, List<Move> moved) {}

    /** Returns this order with one more node, of this number and held by the tree at this position. */
    Insertion plus(Topology topology, String name, int number, int position) {
        OptionalLong behind = tree.lowerBound(location -> location.compareTo(topology, name) > 0);
        long right = behind.orElse(OrderKeys.END);
        long left = Math.max(0, tree.keyBefore(right));
        OptionalLong between = OrderKeys.between(left, right);
        if (between.isPresent()) {
            NodeLocation added = new NodeLocation(name, number, topology, between.getAsLong(), position, 0);
            return new Insertion(new NodeOrder(tree.with(added.order(), added), size + 1), added, List.of());
        }
        return relabeled(new NodeLocation(name, number, topology, left, position, 0), left);
    }

    /**
     * Returns keys for nodes that are to come, which ascend in node order and are none of this order, or null if there is too
     * little room between those that are here. O(log n) for each.
     */
    long @Nullable [] keysFor(List<Node> sorted) {
        long[] keys = new long[sorted.size()];
        long next = keys.length == 0 ? 0 : firstKeyAfter(sorted.get(0));
        for (int from = 0; from < keys.length; ) {
            long right = next;
            int to = from + 1;
            while (to < keys.length && (next = firstKeyAfter(sorted.get(to))) == right) {
                to++;
            }
            long left = Math.max(0, tree.keyBefore(right));
            long step = (right - left) / (to - from + 1);
            if (step == 0) {
                return null;
            }
            for (int i = from; i < to; i++) {
                keys[i] = left + step * (i - from + 1);
            }
            from = to;
        }
        return keys;
    }

    private long firstKeyAfter(Node node) {
        return tree.lowerBound(location -> location.compareTo(node.topology(), node.name()) > 0)
                .orElse(OrderKeys.END);
    }

    /** Returns this order with more nodes, whose keys are none of its own. */
    NodeOrder plusAll(NodeLocation[] added) {
        Long2ObjectMap<@Nullable NodeLocation> changes = new Long2ObjectOpenHashMap<>(added.length);
        for (NodeLocation location : added) {
            changes.put(location.order(), location);
        }
        return new NodeOrder(tree.withAll(changes), size + added.length);
    }

    /** Makes room behind a key: the nodes around it get other keys. */
    private Insertion relabeled(NodeLocation wanted, long left) {
        OrderKeys.Relabeling relabeling = OrderKeys.relabeling(left, (from, to) -> tree.rank(to) - tree.rank(from));
        List<NodeLocation> before = new ArrayList<>();
        tree.forEach(relabeling.from(), relabeling.to(), (key, location) -> before.add(location));
        long[] keys = relabeling.keys();
        Long2ObjectMap<@Nullable NodeLocation> changes = new Long2ObjectOpenHashMap<>();
        before.forEach(location -> changes.put(location.order(), null));
        int place = (int)
                before.stream().filter(location -> location.order() <= left).count();
        List<Move> moved = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            NodeLocation from = before.get(i);
            NodeLocation to = from.withOrder(keys[i < place ? i : i + 1]);
            moved.add(new Move(from, to));
            changes.put(to.order(), to);
        }
        NodeLocation added = wanted.withOrder(keys[place]);
        changes.put(added.order(), added);
        return new Insertion(new NodeOrder(tree.withAll(changes), size + 1), added, moved);
    }

    /** Returns this order without a node. */
    NodeOrder minus(NodeLocation location) {
        return new NodeOrder(tree.without(location.order()), size - 1);
    }

    /** Returns this order with another location under the same key. */
    NodeOrder replaced(NodeLocation location) {
        return new NodeOrder(tree.with(location.order(), location), size);
    }

    /** Calls back with every node in order, O(n). */
    void forEach(Consumer<? super NodeLocation> action) {
        tree.forEach(action);
    }

    /** Throws {@link IllegalStateException} unless nodes and keys ascend; O(n). */
    void validate() {
        tree.validate();
        NodeLocation[] last = new NodeLocation[1];
        int[] count = {0};
        tree.forEach(location -> {
            NodeLocation before = last[0];
            if (before != null
                    && (before.order() >= location.order()
                            || before.compareTo(location.topology(), location.name()) >= 0)) {
                throw new IllegalStateException(location + " stands after " + before);
            }
            last[0] = location;
            count[0]++;
        });
        if (count[0] != size) {
            throw new IllegalStateException("size is " + size + ", but there are " + count[0] + " nodes");
        }
    }
}
