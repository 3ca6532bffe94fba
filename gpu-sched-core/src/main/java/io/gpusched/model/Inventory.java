package io.gpusched.model;

import io.gpusched.internal.index.HashIndex;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * The fixed part of a cluster, shared by all snapshots between two changes of its nodes: order, names, classes; and beside
 * it the {@link LatestStates}.
 */
final class Inventory {
    private final Object2IntOpenHashMap<String> orderByName;
    private final List<NodeClass> classes;

    /** By order: the index of the node's class, and in the low 32 bits its slot there. */
    private final long[] homes;

    /** By class index: the orders of its nodes, ascending. */
    private final int[][] ordersOf;

    private final LatestStates latest;

    /** The topology of each node, by order. */
    private final Topology[] topology;

    /** The totals when nothing runs. */
    private final ClusterTotals idle;

    private final Map<String, List<TopologyDomain>> domains = new ConcurrentHashMap<>();

    private Inventory(
            Object2IntOpenHashMap<String> orderByName,
            List<NodeClass> classes,
            long[] homes,
            int[][] ordersOf,
            Topology[] topology,
            ClusterTotals idle) {
        this.orderByName = orderByName;
        this.classes = List.copyOf(classes);
        this.homes = homes;
        this.ordersOf = ordersOf;
        this.latest = new LatestStates(classes);
        this.topology = topology;
        this.idle = idle;
    }

    /** Remembers what a node has become in one of the snapshots; each state is to be told of as it is made. */
    void note(NodeState state) {
        latest.note(state);
    }

    /** Sorts nodes into the order of a cluster. */
    static List<Node> sorted(Collection<Node> nodes) {
        List<Node> sorted = new ArrayList<>(nodes);
        sorted.sort(Comparator.comparing(Node::topology).thenComparing(Node::name));
        return sorted;
    }

    /**
     * Builds the inventory of these nodes, which must be in order.
     *
     * @throws IllegalArgumentException if a name occurs twice, there are more than 16,777,216 nodes, or their CPU or
     *     memory sums up to more than {@link Resources#MAX}
     */
    static Inventory of(List<Node> nodes) {
        Checks.inRange("cluster", "number of nodes", nodes.size(), 0, HashIndex.MAX_VALUE + 1);
        Object2IntOpenHashMap<String> orderByName = new Object2IntOpenHashMap<>(nodes.size());
        orderByName.defaultReturnValue(-1);
        Topology[] topology = new Topology[nodes.size()];
        for (int order = 0; order < nodes.size(); order++) {
            Node node = nodes.get(order);
            if (orderByName.put(node.name(), order) >= 0) {
                throw new IllegalArgumentException("cluster: two nodes have the name \"" + node.name() + "\"");
            }
            topology[order] = node.topology();
        }
        checkSum("cpuMillis", nodes.stream().mapToLong(node -> node.capacity().cpuMillis()));
        checkSum("memoryMib", nodes.stream().mapToLong(node -> node.capacity().memoryMib()));
        NodeClassifier classifier = NodeClassifier.classify(nodes);
        long[] homes = new long[nodes.size()];
        int[][] ordersOf = new int[classifier.classes().size()][];
        int[] filled = new int[ordersOf.length];
        for (NodeClass nodeClass : classifier.classes()) {
            ordersOf[nodeClass.index()] = new int[nodeClass.size()];
        }
        for (int order = 0; order < nodes.size(); order++) {
            int index = classifier.classIndex(order);
            homes[order] = (long) index << 32 | filled[index];
            ordersOf[index][filled[index]++] = order;
        }
        return new Inventory(orderByName, classifier.classes(), homes, ordersOf, topology, ClusterTotals.of(nodes));
    }

    private static void checkSum(String field, LongStream amounts) {
        // amounts are at most 10^12 each, so that stopping at the first excess keeps the sum from overflowing
        long sum = amounts.reduce(0, (a, b) -> a > Resources.MAX ? a : a + b);
        Checks.inRange("cluster", "sum of " + field, sum, 0, Resources.MAX);
    }

    int size() {
        return homes.length;
    }

    List<NodeClass> classes() {
        return classes;
    }

    /** Returns the order of the node of this name, or -1. */
    int orderOf(String name) {
        return orderByName.getInt(name);
    }

    /** The states of the nodes in a snapshot, or in what is to become one. */
    interface States {
        NodeState state(int classIndex, int slot);
    }

    /**
     * Returns the node that a placement names; most likely it stands where it stood when the placement was made.
     *
     * @throws PlacementConflictException if there is no such node
     */
    @SuppressWarnings("ReferenceEquality") // the one state or another
    NodeState nodeOf(Placement placement, States states) {
        int home = placement.nodeHome();
        if (latest.has(home)) {
            NodeState likely = latest.at(home);
            if (isOn(placement, likely)) {
                // whoever uses what is likely need not wait until it is certain: both are far away in a large cluster
                NodeState certain = states.state(LatestStates.classIndex(home), LatestStates.slot(home));
                return likely == certain ? likely : certain;
            }
        }
        int order = orderOf(placement.node());
        if (order < 0) {
            throw Conflicts.unknownNode(placement, size());
        }
        return states.state(classIndex(order), slotOf(order));
    }

    @SuppressWarnings("ReferenceEquality") // most likely the same name: it need not be fetched from memory
    private static boolean isOn(Placement placement, NodeState state) {
        return state.name() == placement.node() || state.name().equals(placement.node());
    }

    ClusterTotals idle() {
        return idle;
    }

    int classIndex(int order) {
        return (int) (homes[order] >>> 32);
    }

    NodeClass classOf(int order) {
        return classes.get(classIndex(order));
    }

    int slotOf(int order) {
        return (int) homes[order];
    }

    int orderOf(NodeClass nodeClass, int slot) {
        return ordersOf[nodeClass.index()][slot];
    }

    /** The orders of the nodes of a class, ascending; not to be written to. */
    int[] ordersOf(int classIndex) {
        return ordersOf[classIndex];
    }

    /** Returns the domains of a level in node order; nodes without that level belong to none. */
    List<TopologyDomain> domains(String level) {
        return domains.computeIfAbsent(level, this::findDomains);
    }

    private List<TopologyDomain> findDomains(String level) {
        List<TopologyDomain> found = new ArrayList<>();
        int from = 0;
        while (from < topology.length) {
            Topology path = topology[from].upTo(level);
            int to = from + 1;
            while (to < topology.length && topology[to].upTo(level).equals(path)) {
                to++;
            }
            if (!path.domains().isEmpty()) {
                found.add(new TopologyDomain(path, from, to));
            }
            from = to;
        }
        return List.copyOf(found);
    }
}
