package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.trie.HashTrie;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import it.unimi.dsi.fastutil.Arrays;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.objects.ObjectArrays;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a snapshot has, whatever runs on them: their order, their names, their classes. All snapshots between two
 * changes of nodes share one. Immutable and thread-safe; a change costs O(log n).
 */
final class NodeDirectory {
    static final NodeDirectory EMPTY = new NodeDirectory(
            new Object(),
            NodeOrder.EMPTY,
            HashTrie.empty(NodeLocation::name),
            NodeNumbers.EMPTY,
            ClassTable.EMPTY,
            Capacity.NOTHING);

    /** The same object in all directories that came from one another. */
    private final Object lineage;

    private final NodeOrder order;
    private final HashTrie<String, NodeLocation> names;
    private final NodeNumbers numbers;
    private final ClassTable classes;
    private final Capacity capacity;

    /** The domains of the levels asked for so far; never written to once it stands here, and any thread makes an equal one. */
    private Map<String, List<TopologyDomain>> domains = Map.of();

    NodeDirectory(
            Object lineage,
            NodeOrder order,
            HashTrie<String, NodeLocation> names,
            NodeNumbers numbers,
            ClassTable classes,
            Capacity capacity) {
        this.lineage = lineage;
        this.order = order;
        this.names = names;
        this.numbers = numbers;
        this.classes = classes;
        this.capacity = capacity;
    }

    /** Whether one came from the other, or both from a third. */
    @SuppressWarnings("ReferenceEquality") // an object without content
    boolean isRelatedTo(NodeDirectory other) {
        return lineage == other.lineage;
    }

    NodeOrder order() {
        return order;
    }

    ClassTable classes() {
        return classes;
    }

    Capacity capacity() {
        return capacity;
    }

    NodeNumbers numbers() {
        return numbers;
    }

    HashTrie<String, NodeLocation> names() {
        return names;
    }

    /** Returns where the node of this name stands, or null. */
    @Nullable
    NodeLocation find(String name) {
        return names.get(TextHash.of(name), name);
    }

    /**
     * A directory after a change of one node.
     *
     * @param entry the class of the node
     * @param location where it stands
     * @param moved the nodes whose keys had to change for it, as they stand now
     */
    record Change(NodeDirectory directory, ClassEntry entry, NodeLocation location, List<Move> moved) {}

    /** A node whose key in the node order had to change. */
    record Move(NodeLocation from, NodeLocation to) {}

    /** Returns this directory with one more node, whose name is new. */
    Change plus(Node node) {
        NodeClass nodeClass = NodeClass.of(node);
        ClassTable more = classes.plus(nodeClass, 1);
        ClassEntry entry = more.entry(nodeClass);
        NodeOrder.Insertion insertion = order.plus(node.topology(), node.name(), numbers.unused(), entry.tree());
        HashTrie<String, NodeLocation> named = put(names, insertion.added());
        NodeNumbers numbered = numbers.with(insertion.added());
        for (Move move : insertion.moved()) {
            named = put(named, move.to());
            numbered = numbered.with(move.to());
        }
        NodeDirectory changed =
                new NodeDirectory(lineage, insertion.order(), named, numbered, more, capacity.plus(node));
        return new Change(changed, entry, insertion.added(), insertion.moved());
    }

    /**
     * A directory after many nodes joined.
     *
     * @param nodes those that joined, in node order
     * @param locations where each stands
     * @param entries the class of each; equal classes are one object
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Additions(NodeDirectory directory, List<Node> nodes, NodeLocation[] locations, ClassEntry[] entries) {}

    /**
     * Returns this directory with more nodes, whose names are new, each for less than {@link #plus}; null if that takes other
     * keys for the nodes that are here.
     */
    @Nullable
    Additions plusAll(Collection<Node> added) {
        List<Node> sorted = new ArrayList<>(added);
        sorted.sort(Comparator.comparing(Node::topology).thenComparing(Node::name));
        long[] keys = order.keysFor(sorted);
        if (keys == null) {
            return null;
        }
        NodeClass[] is = new NodeClass[keys.length];
        Map<NodeClass, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            is[i] = NodeClass.of(sorted.get(i));
            counts.merge(is[i], 1, Integer::sum);
        }
        ClassTable more = classes;
        for (Map.Entry<NodeClass, Integer> entry : counts.entrySet()) {
            more = more.plus(entry.getKey(), entry.getValue());
        }
        ClassEntry[] entries = new ClassEntry[keys.length];
        NodeLocation[] locations = new NodeLocation[keys.length];
        NodeNumbers numbered = numbers;
        Capacity sum = capacity;
        for (int i = 0; i < keys.length; i++) {
            Node node = sorted.get(i);
            entries[i] = more.entry(is[i]);
            int tree = entries[i].tree();
            locations[i] = new NodeLocation(node.name(), numbered.unused(), node.topology(), keys[i], tree, 0);
            numbered = numbered.with(locations[i]);
            sum = sum.plus(node);
        }
        NodeDirectory directory =
                new NodeDirectory(lineage, order.plusAll(locations), named(locations), numbered, more, sum);
        return new Additions(directory, sorted, locations, entries);
    }

    private HashTrie<String, NodeLocation> named(NodeLocation[] added) {
        NodeLocation[] byHash = added.clone();
        long[] hashes = new long[byHash.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = TextHash.of(byHash[i].name());
        }
        Arrays.quickSort(0, hashes.length, (i, j) -> Long.compareUnsigned(hashes[i], hashes[j]), (i, j) -> {
            LongArrays.swap(hashes, i, j);
            ObjectArrays.swap(byHash, i, j);
        });
        return names.withAll(hashes, byHash, new boolean[hashes.length]);
    }

    /** Returns this directory without a node. */
    NodeDirectory minus(NodeLocation location, Node node) {
        return new NodeDirectory(
                lineage,
                order.minus(location),
                names.without(TextHash.of(location.name()), location.name()),
                numbers.without(location),
                classes.minus(NodeClass.of(node)),
                capacity.minus(node));
    }

    /** Returns this directory with another machine of the same name in place of one. */
    @SuppressWarnings("ReferenceEquality") // a location that did not change is the same object
    Change replaced(NodeLocation location, Node before, Node after) {
        if (!before.topology().equals(after.topology())) {
            return minus(location, before).plus(after);
        }
        NodeClass is = NodeClass.of(after);
        ClassTable changed = classes.replaced(NodeClass.of(before), is);
        ClassEntry entry = changed.entry(is);
        NodeLocation now = location.withTree(entry.tree());
        boolean stays = now == location;
        NodeDirectory directory = new NodeDirectory(
                lineage,
                stays ? order : order.replaced(now),
                stays ? names : put(names, now),
                stays ? numbers : numbers.with(now),
                changed,
                capacity.minus(before).plus(after));
        return new Change(directory, entry, now, List.of());
    }

    private static HashTrie<String, NodeLocation> put(HashTrie<String, NodeLocation> names, NodeLocation location) {
        return names.with(TextHash.of(location.name()), location);
    }

    /** Returns the domains of a level in node order; O(domains · log n) when a level is first asked for. */
    List<TopologyDomain> domains(String level) {
        Map<String, List<TopologyDomain>> known = domains;
        List<TopologyDomain> found = known.get(level);
        if (found == null) {
            found = findDomains(level);
            Map<String, List<TopologyDomain>> more = new HashMap<>(known);
            more.put(level, found);
            domains = Map.copyOf(more);
        }
        return found;
    }

    private List<TopologyDomain> findDomains(String level) {
        List<TopologyDomain> found = new ArrayList<>();
        int to;
        for (int from = 0; from < order.size(); from = to) {
            NodeLocation first = order.at(from);
            Topology path = first.topology().upTo(level);
            boolean none = path.domains().isEmpty();
            // nodes without such a level are passed by together where they stand in the same place
            to = none ? order.endOf(first.topology()) : order.endBelow(path);
            if (!none) {
                long end = to < order.size() ? order.at(to).order() : Long.MAX_VALUE;
                found.add(NodeAccess.domain(path, to - from, first.order(), end));
            }
        }
        return List.copyOf(found);
    }
}
