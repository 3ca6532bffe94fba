package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.TopologyDomain;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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

    final NodeDirectory nodes;
    final PersistentVector<ClassIndex> trees;
    final PodIndex pods;
    final Usage usage;

    /** The labels of namespaces, by name; those without labels are not here. */
    final Map<String, Map<String, String>> namespaces;

    ClusterStore(
            NodeDirectory nodes,
            PersistentVector<ClassIndex> trees,
            PodIndex pods,
            Usage usage,
            Map<String, Map<String, String>> namespaces) {
        this.nodes = nodes;
        this.trees = trees;
        this.pods = pods;
        this.usage = usage;
        this.namespaces = namespaces;
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
        for (int number : pods.nodes(NodeAccess.hash(pod))) {
            Placement found = placementOn(number, pod);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Placement placementOn(int number, PodId pod) {
        NodeLocation location = nodes.numbers().at(number);
        return location == null ? null : state(location).placement(pod).orElse(null);
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
        int from = nodes.order().rank(range.from());
        int to = from + size(range);
        return () -> IntStream.range(from, to).mapToObj(this::node).iterator();
    }

    /** Returns the number of nodes in a range, O(log n). */
    int size(NodeRange range) {
        return nodes.order().rank(range.to()) - nodes.order().rank(range.from());
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
        return placed(node, NodeAccess.withNew(node, placement), placement);
    }

    /** As {@link #with(NodeState, Placement)}, for a pod that runs already, so that its GPUs need not be healthy. */
    public ClusterStore withRunning(NodeState node, Placement placement) {
        return placed(node, NodeAccess.withRunning(node, placement), placement);
    }

    private ClusterStore placed(NodeState node, NodeState after, Placement placement) {
        return with(node, after, pods.plus(NodeAccess.podHash(placement), NodeAccess.number(node)));
    }

    /** Returns this without a placement on a node of this. */
    public ClusterStore without(NodeState node, Placement placement) {
        NodeState after = node.without(placement);
        return with(node, after, pods.minus(NodeAccess.podHash(placement), NodeAccess.number(node)));
    }

    private ClusterStore with(NodeState before, NodeState after, PodIndex changed) {
        int position = NodeAccess.tree(before);
        ClassIndex tree = Objects.requireNonNull(trees.get(position), "tree");
        return new ClusterStore(
                nodes,
                trees.with(position, tree.with(before, after)),
                changed,
                usage.replace(before, after),
                namespaces);
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

    /** Returns the labels of all namespaces that have any, by name. */
    public Map<String, Map<String, String>> namespaces() {
        return namespaces;
    }

    /** Returns this with other labels of a namespace. */
    public ClusterStore withNamespace(String namespace, Map<String, String> labels) {
        Map<String, Map<String, String>> changed = new TreeMap<>(namespaces);
        if (labels.isEmpty()) {
            changed.remove(namespace);
        } else {
            changed.put(namespace, labels);
        }
        return new ClusterStore(nodes, trees, pods, usage, Collections.unmodifiableMap(changed));
    }

    /** Throws {@link IllegalStateException} unless everything kept here about nodes and pods is true; O(n). */
    public void validate() {
        new StoreCheck(this, nodes, trees, pods, usage).check();
    }
}
