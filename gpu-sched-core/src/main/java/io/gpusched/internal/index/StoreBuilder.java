package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.tree.KeyedTree;
import io.gpusched.internal.tree.OrderKeys;
import io.gpusched.internal.trie.HandleTrie;
import io.gpusched.internal.trie.HashTrie;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds a snapshot of many nodes at once, and of what runs on them. O(n log n). */
public final class StoreBuilder {
    /** Where classes are many, one with less than a part in so many of all nodes is not worth a tree of its own. */
    private static final int RARE = 256;

    private final List<Node> sorted;

    /** Of each node its class; equal classes are one object. */
    private final NodeClass[] classes;

    private final NodeLocation[] locations;

    /** The placements on each node, by its name. */
    private final Map<String, List<Placement>> running;

    /** The pods that run on the first nodes, for {@link PodIndex#of}, and how many these are so far. */
    private final long[] pods;

    private int podCount;

    private ClassTable table = ClassTable.EMPTY;
    private Capacity capacity = Capacity.NOTHING;
    private Usage usage = Usage.NOTHING;

    private StoreBuilder(Collection<Node> nodes, Map<String, List<Placement>> running, int placements) {
        this.sorted = new ArrayList<>(nodes);
        sorted.sort(Comparator.comparing(Node::topology).thenComparing(Node::name));
        this.classes = new NodeClass[sorted.size()];
        this.locations = new NodeLocation[sorted.size()];
        this.running = running;
        this.pods = new long[placements];
    }

    /**
     * Returns the snapshot of these nodes, of which no two have the same name, with these placements, of which no two are
     * of one pod and each names a node of these.
     */
    public static ClusterStore build(Collection<Node> nodes, Collection<Placement> placements) {
        Map<String, List<Placement>> running = new LinkedHashMap<>();
        for (Placement placement : placements) {
            running.computeIfAbsent(placement.node(), name -> new ArrayList<>()).add(placement);
        }
        StoreBuilder builder = new StoreBuilder(nodes, running, placements.size());
        builder.classify();
        builder.locate();
        PersistentVector<ClassIndex> trees = builder.trees();
        return new ClusterStore(builder.directory(), trees, PodIndex.of(builder.pods), builder.usage, Map.of());
    }

    /** Where classes are many, only those with the most nodes get trees of their own. */
    private void classify() {
        Map<NodeClass, NodeClass> known = new LinkedHashMap<>();
        Map<NodeClass, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < classes.length; i++) {
            NodeClass found = NodeClass.of(sorted.get(i));
            classes[i] = known.computeIfAbsent(found, key -> key);
            counts.merge(classes[i], 1, Integer::sum);
            capacity = capacity.plus(sorted.get(i));
        }
        List<Map.Entry<NodeClass, Integer>> mostFirst = new ArrayList<>(counts.entrySet());
        mostFirst.sort(Map.Entry.<NodeClass, Integer>comparingByValue().reversed());
        boolean few = mostFirst.size() <= ClassTable.OWN_TREES;
        for (Map.Entry<NodeClass, Integer> entry : mostFirst) {
            boolean rare = !few && entry.getValue() < classes.length / RARE;
            table = rare
                    ? table.plusRare(entry.getKey(), entry.getValue())
                    : table.plus(entry.getKey(), entry.getValue());
        }
    }

    @SuppressWarnings("ReferenceEquality") // equal classes are one object
    private void locate() {
        long[] keys = OrderKeys.spread(locations.length);
        int[] trees = new int[locations.length];
        Int2IntOpenHashMap sizes = new Int2IntOpenHashMap();
        NodeClass last = null;
        int tree = -1;
        for (int i = 0; i < trees.length; i++) {
            if (classes[i] != last) {
                last = classes[i];
                tree = table.entry(last).tree();
            }
            trees[i] = tree;
            sizes.addTo(tree, 1);
        }
        Int2IntOpenHashMap next = new Int2IntOpenHashMap();
        for (int i = 0; i < trees.length; i++) {
            Node node = sorted.get(i);
            int path = KeyedTree.path(next.addTo(trees[i], 1), sizes.get(trees[i]));
            locations[i] = new NodeLocation(node.name(), i, node.topology(), keys[i], trees[i], path);
        }
    }

    private PersistentVector<ClassIndex> trees() {
        Map<Integer, List<NodeState>> members = new TreeMap<>();
        for (int i = 0; i < locations.length; i++) {
            NodeState state = state(i);
            usage = usage.plus(state);
            members.computeIfAbsent(locations[i].tree(), position -> new ArrayList<>())
                    .add(state);
        }
        PersistentVector<ClassIndex> trees = PersistentVector.empty();
        for (Map.Entry<Integer, List<NodeState>> entry : members.entrySet()) {
            List<NodeState> nodes = entry.getValue();
            NodeClass nodeClass = table.treeClass(table.entry(nodes.get(0).nodeClass()));
            long[] keys = nodes.stream().mapToLong(NodeAccess::order).toArray();
            ClassIndex tree = ClassIndex.of(nodeClass, entry.getKey(), keys, nodes.toArray(NodeState[]::new));
            trees = trees.with(entry.getKey(), tree);
        }
        return trees;
    }

    private NodeState state(int at) {
        NodeState state = NodeAccess.empty(sorted.get(at), classes[at], locations[at]);
        for (Placement placement : running.getOrDefault(state.name(), List.of())) {
            state = NodeAccess.withRunning(state, placement);
            pods[podCount++] = HandleTrie.word(NodeAccess.podHash(placement), at);
        }
        return state;
    }

    private NodeDirectory directory() {
        long[] hashes = new long[locations.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = TextHash.of(locations[i].name());
        }
        return new NodeDirectory(
                new Object(),
                NodeOrder.of(locations),
                HashTrie.of(NodeLocation::name, hashes, locations),
                NodeNumbers.of(locations),
                table,
                capacity);
    }
}
