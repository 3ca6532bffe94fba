package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.rules.RuleIndex;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.TopologyDomain;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a snapshot of a cluster is made of: its nodes, by order, by name and in one tree for each class, its pods,
 * and the sums. Persistent: a change copies O(log n) and shares the rest. Immutable and thread-safe.
 *
 * <p>It carries changes out; whether they are legal is for the caller to know, but for what a placement takes of its node.
 */
public final class ClusterStore {
    /** The greatest number of nodes. */
    public static final int MAX_NODES = 1 << 24;

    private static final Comparator<NodeState> BY_ORDER = Comparator.comparingLong(NodeAccess::order);

    private final NodeDirectory nodes;
    private final PersistentVector<ClassIndex> trees;
    private final PodIndex pods;
    private final Usage usage;
    private final RuleIndex rules;

    ClusterStore(NodeDirectory nodes, PersistentVector<ClassIndex> trees, PodIndex pods, Usage usage, RuleIndex rules) {
        this.nodes = nodes;
        this.trees = trees;
        this.pods = pods;
        this.usage = usage;
        this.rules = rules;
    }

    /** Whether one came from the other by changes, or both from a third: they then share what did not change. */
    public boolean isRelatedTo(ClusterStore other) {
        return nodes.isRelatedTo(other.nodes);
    }

    /** Whether no node changed, joined or left between the two, whatever runs on them. */
    @SuppressWarnings("ReferenceEquality") // all snapshots between two changes of nodes share one directory
    boolean hasSameNodes(ClusterStore other) {
        return nodes == other.nodes;
    }

    /** Returns the number of nodes. */
    public int size() {
        return nodes.order().size();
    }

    /** Returns the sums over the cluster. */
    public ClusterTotals totals() {
        return nodes.capacity().totals(usage);
    }

    Capacity capacity() {
        return nodes.capacity();
    }

    /** Returns the node at this place in the order, from 0, O(log n). */
    public NodeState node(int rank) {
        return state(nodes.order().at(rank));
    }

    /** Returns the node of this name, or null, O(log n). */
    public @Nullable NodeState node(String name) {
        NodeLocation location = nodes.find(name);
        return location == null ? null : state(location);
    }

    /**
     * Returns the node that a placement names, or null; most likely it stands where it stood when the placement was made.
     */
    public @Nullable NodeState node(Placement placement) {
        long order = NodeAccess.order(placement);
        ClassIndex tree = order < 0 ? null : trees.get(NodeAccess.tree(placement)); // below 0: made by the node's name
        NodeState likely = tree == null ? null : tree.likely(order, NodeAccess.path(placement));
        return likely != null && NodeAccess.order(likely) == order && isNamed(likely, placement.node())
                ? likely
                : node(placement.node());
    }

    @SuppressWarnings("ReferenceEquality") // most likely the very same name, which need not be read then
    private static boolean isNamed(NodeState node, String name) {
        return node.name() == name || node.name().equals(name);
    }

    NodeState state(NodeLocation location) {
        ClassIndex tree = trees.get(location.tree());
        NodeState found = tree == null ? null : tree.get(location.order());
        if (found == null) {
            throw new IllegalStateException("node \"" + location.name() + "\" is not where it should be");
        }
        return found;
    }

    NodeClass treeClass(NodeLocation location) {
        return Objects.requireNonNull(trees.get(location.tree()), "tree").nodeClass();
    }

    /** Returns what a pod holds, or null, O(log n). */
    public @Nullable Placement placement(PodId pod) {
        Placement[] found = new Placement[1];
        return pods.anyNode(NodeAccess.hash(pod), number -> (found[0] = placementOn(number, pod)) != null)
                ? found[0]
                : null;
    }

    private @Nullable Placement placementOn(int number, PodId pod) {
        NodeLocation location = nodes.numbers().at(number);
        return location == null ? null : state(location).placement(pod);
    }

    /** Returns all nodes in order; O(n) where they are of one class, else O(n log n). */
    public List<NodeState> nodes() {
        NodeState[] all = new NodeState[size()];
        int[] next = {0};
        trees.forEach(tree -> tree.forEach(node -> all[next[0]++] = node));
        // runs in order already, of which there is one for each class
        Arrays.sort(all, BY_ORDER);
        return Arrays.asList(all);
    }

    /** Returns the nodes of a range in node order; O(log n) for each. */
    Iterable<NodeState> nodes(NodeRange range) {
        NodeOrder order = nodes.order();
        int from = order.rank(range.from());
        int to = order.rank(range.to());
        return () -> IntStream.range(from, to).mapToObj(this::node).iterator();
    }

    /** Returns the trees, O(trees). */
    List<ClassIndex> trees() {
        return trees.elements();
    }

    /** Returns the number of nodes of each class, in the order of the first node of each; O(classes · log classes). */
    public Map<NodeClass, Integer> classes() {
        return ClassCounts.of(nodes.classes(), trees());
    }

    /** Returns the domains of a level in node order. */
    public List<TopologyDomain> domains(String level) {
        return nodes.domains(level);
    }

    /** Returns this with a pod placed, which does not run anywhere, on a node of this. */
    public ClusterStore with(NodeState node, Placement placement) {
        RuleIndex changed = rules.isConcernedBy(placement) ? rules.placed(placement, node.node(), this::nodes) : rules;
        return with(
                node,
                NodeAccess.withNew(node, placement),
                pods.plus(NodeAccess.podHash(placement), NodeAccess.number(node)),
                changed);
    }

    /** Returns this without a placement on a node of this. */
    public ClusterStore without(NodeState node, Placement placement) {
        NodeState after = node.without(placement);
        RuleIndex changed = rules.isIdle() ? rules : rules.released(held(placement), node.node());
        return with(node, after, pods.minus(NodeAccess.podHash(placement), NodeAccess.number(node)), changed);
    }

    /** The placement that is here, which tells what its pod asks, other than perhaps an equal one. */
    private Placement held(Placement placement) {
        return Objects.requireNonNull(placement(placement.pod()), "placement");
    }

    private ClusterStore with(NodeState before, NodeState after, PodIndex changed, RuleIndex known) {
        int position = NodeAccess.tree(before);
        ClassIndex tree = Objects.requireNonNull(trees.get(position), "tree");
        return new ClusterStore(
                nodes, trees.with(position, tree.with(before, after)), changed, usage.replace(before, after), known);
    }

    /** Returns this with one more node, on which nothing runs and whose name is new. */
    public ClusterStore with(Node node) {
        return withBare(node.withoutResidents()).residing(node);
    }

    private ClusterStore withBare(Node node) {
        NodeDirectory.Change change = nodes.plus(node);
        NodeState fresh = NodeAccess.empty(node, change.entry().nodeClass(), change.location());
        return new ClusterStore(
                change.directory(),
                put(moved(trees, change), change, fresh),
                pods,
                usage.plus(fresh),
                rules.added(node));
    }

    /** Returns this with more nodes, on which nothing runs and whose names are new: each costs less than one alone. */
    public ClusterStore withAll(Collection<Node> added) {
        boolean bare = added.stream().allMatch(node -> node.residents().isEmpty());
        NodeDirectory.Additions change = added.size() < 2 || !bare ? null : nodes.plusAll(added);
        if (change == null) {
            ClusterStore all = this;
            for (Node node : added) {
                all = all.with(node);
            }
            return all;
        }
        Usage sum = usage;
        RuleIndex known = rules;
        Int2ObjectMap<Long2ObjectMap<@Nullable NodeState>> byTree = new Int2ObjectOpenHashMap<>();
        Int2ObjectMap<ClassEntry> entries = new Int2ObjectOpenHashMap<>();
        for (int i = 0; i < change.locations().length; i++) {
            NodeLocation location = change.locations()[i];
            ClassEntry entry = change.entries()[i];
            NodeState fresh = NodeAccess.empty(change.nodes().get(i), entry.nodeClass(), location);
            entries.putIfAbsent(location.tree(), entry);
            byTree.computeIfAbsent(location.tree(), tree -> new Long2ObjectOpenHashMap<>())
                    .put(location.order(), fresh);
            sum = sum.plus(fresh);
            known = known.added(change.nodes().get(i));
        }
        PersistentVector<ClassIndex> grown = trees;
        for (Int2ObjectMap.Entry<Long2ObjectMap<@Nullable NodeState>> entry : byTree.int2ObjectEntrySet()) {
            int position = entry.getIntKey();
            ClassIndex tree = grown.get(position);
            NodeClass nodeClass = change.directory().classes().treeClass(entries.get(position));
            ClassIndex whole = tree == null ? ClassIndex.empty(nodeClass, position) : tree;
            grown = grown.with(position, whole.withAll(entry.getValue()));
        }
        return new ClusterStore(change.directory(), grown, pods, sum, known);
    }

    /** Returns this without a node of it, on which nothing runs. */
    public ClusterStore without(NodeState node) {
        if (!node.node().residents().isEmpty()) {
            Node bare = node.node().withoutResidents();
            ClusterStore store = residing(bare);
            return store.without(store.state(NodeAccess.location(node)));
        }
        NodeLocation location = NodeAccess.location(node);
        return new ClusterStore(
                nodes.minus(location, node.node()),
                removed(trees, location),
                pods,
                usage.minus(node),
                rules.removed(node.node()));
    }

    /**
     * Returns this with another machine of the same name in place of one; what runs there stays, on GPUs that are not
     * healthy too.
     */
    public ClusterStore with(NodeState before, Node machine) {
        if (before.node().residents().equals(machine.residents())) {
            return withOther(before, machine);
        }
        ClusterStore bare = residing(before.node().withoutResidents());
        NodeState alone = Objects.requireNonNull(bare.node(before.name()), "node");
        return bare.withOther(alone, machine.withoutResidents()).residing(machine);
    }

    /*
     * Residents are no part of what a node has free. They come and go while everything else of the node stays, one by one
     * as other pods do, so that counts which nobody needed so far are made of a snapshot in which they are not yet.
     */
    private ClusterStore residing(Node machine) {
        NodeState before = Objects.requireNonNull(node(machine.name()), "node");
        if (before.node().residents().equals(machine.residents())) {
            return this;
        }
        RuleIndex known = rules;
        for (Placement resident : before.node().residents()) {
            known = known.released(resident, machine);
        }
        Node next = before.node().withoutResidents();
        ClusterStore store = withMachine(before, next, known);
        for (Placement resident : machine.residents()) {
            NodeState state = Objects.requireNonNull(store.node(machine.name()), "node");
            next = next.toBuilder().resident(resident).build();
            RuleIndex counted = store.rules.isConcernedBy(resident)
                    ? store.rules.placed(resident, next, store::nodes)
                    : store.rules;
            store = store.withMachine(state, next, counted);
        }
        return store;
    }

    private ClusterStore withMachine(NodeState before, Node machine, RuleIndex known) {
        int position = NodeAccess.tree(before);
        ClassIndex tree = Objects.requireNonNull(trees.get(position), "tree");
        NodeState after = NodeAccess.on(before, machine, before.nodeClass(), NodeAccess.location(before));
        return new ClusterStore(nodes, trees.with(position, tree.with(before, after)), pods, usage, known);
    }

    private ClusterStore withOther(NodeState before, Node machine) {
        NodeLocation location = NodeAccess.location(before);
        NodeDirectory.Change change = nodes.replaced(location, before.node(), machine);
        NodeState after = carried(before, machine, change);
        PersistentVector<ClassIndex> without = isSame(location, change.location()) ? trees : removed(trees, location);
        return new ClusterStore(
                change.directory(),
                put(moved(without, change), change, after),
                pods,
                usage.minus(before).plus(after),
                rules.replaced(before, machine));
    }

    @SuppressWarnings("ReferenceEquality") // a location that did not change is the same object
    private static boolean isSame(NodeLocation one, NodeLocation other) {
        return one == other;
    }

    private static NodeState carried(NodeState before, Node machine, NodeDirectory.Change change) {
        NodeClass nodeClass = change.entry().nodeClass();
        if (nodeClass.equals(before.nodeClass()) && machine.capacity().equals(before.capacity())) {
            return NodeAccess.on(before, machine, nodeClass, change.location());
        }
        NodeState after = NodeAccess.empty(machine, nodeClass, change.location());
        for (Placement placement : before.placements()) {
            after = NodeAccess.withRunning(after, placement);
        }
        return after;
    }

    /** The trees with a node in its place; where there is no tree yet, the change tells of which class it is to be. */
    private static PersistentVector<ClassIndex> put(
            PersistentVector<ClassIndex> trees, NodeDirectory.Change change, NodeState node) {
        NodeLocation location = change.location();
        ClassIndex tree = trees.get(location.tree());
        if (tree != null) {
            return trees.with(location.tree(), tree.with(location.order(), node));
        }
        NodeClass nodeClass = change.directory().classes().treeClass(change.entry());
        ClassIndex first =
                ClassIndex.of(nodeClass, location.tree(), new long[] {location.order()}, new NodeState[] {node});
        return trees.with(location.tree(), first);
    }

    private static PersistentVector<ClassIndex> removed(PersistentVector<ClassIndex> trees, NodeLocation location) {
        ClassIndex tree = trees.get(location.tree());
        return tree == null ? trees : trees.with(location.tree(), tree.without(location.order()));
    }

    /** The trees with the nodes moved whose keys had to change. */
    private PersistentVector<ClassIndex> moved(PersistentVector<ClassIndex> before, NodeDirectory.Change change) {
        Int2ObjectMap<Long2ObjectMap<@Nullable NodeState>> byTree = new Int2ObjectOpenHashMap<>();
        for (NodeDirectory.Move move : change.moved()) {
            Long2ObjectMap<@Nullable NodeState> changes =
                    byTree.computeIfAbsent(move.from().tree(), tree -> new Long2ObjectOpenHashMap<>());
            NodeState state = state(move.from());
            // a node may move to where another stood
            changes.putIfAbsent(move.from().order(), null);
            changes.put(move.to().order(), NodeAccess.on(state, state.node(), state.nodeClass(), move.to()));
        }
        PersistentVector<ClassIndex> changed = before;
        for (Int2ObjectMap.Entry<Long2ObjectMap<@Nullable NodeState>> entry : byTree.int2ObjectEntrySet()) {
            ClassIndex tree = Objects.requireNonNull(changed.get(entry.getIntKey()), "tree");
            changed = changed.with(entry.getIntKey(), tree.withAll(entry.getValue()));
        }
        return changed;
    }

    /**
     * Calls back with each node that may differ between an older snapshot, or any other, and this one, null where it is not
     * there; O(changed nodes · log n) for snapshots made one from the other.
     */
    public void forEachChange(ClusterStore older, BiConsumer<@Nullable NodeState, @Nullable NodeState> change) {
        if (trees != older.trees) {
            StoreDiff diff = new StoreDiff(change);
            trees.forEachChange(older.trees, diff::tree);
            diff.finish();
        }
    }

    /** Returns what is known of the rules of the pods that run. */
    public RuleIndex rules() {
        return rules;
    }

    /** Returns this with other labels of a namespace. */
    public ClusterStore withNamespace(String namespace, Map<String, String> labels) {
        return new ClusterStore(nodes, trees, pods, usage, rules.withNamespace(namespace, labels, this::nodes));
    }

    /** Throws {@link IllegalStateException} unless everything kept here about nodes and pods is true; O(n). */
    public void validate() {
        new StoreCheck(this, nodes, trees, pods, usage, rules).check();
    }
}
