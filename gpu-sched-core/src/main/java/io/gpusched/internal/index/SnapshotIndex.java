package io.gpusched.internal.index;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The index that a scheduler has of a cluster: what its nodes have free, and where they stand. It follows from one snapshot to
 * another by their difference. Not thread-safe.
 *
 * <p>Nodes are in slots, which ascend in node order (topology, then name); so ties are settled by the lowest slot, and a domain of the
 * topology is a range of slots; one of a label is some of a range. Slots have gaps, so that a node may join between two others. What else follows the nodes {@linkplain #listen
 * listens}.
 *
 * <pre>{@code
 * index.follow(cluster);
 * for (int slot = index.next(0); slot >= 0; slot = index.next(slot + 1)) {
 *     NodeState node = index.state(slot);
 * }
 * }</pre>
 */
public final class SnapshotIndex {
    /** Of this many nodes one may join alone; if more do, all slots are given again. */
    private static final int NODES_FOR_EACH_THAT_JOINS = 16;

    private final List<NodeListener> listeners = new ArrayList<>();
    private final List<NodeState> joining = new ArrayList<>();
    private final Domains domains = new Domains();
    private final RuleCounts rules = RuleCounts.create();

    private Cluster cluster = Cluster.of(List.of());
    private NodeSlots nodes = new NodeSlots(List.of());
    private CapacityBuckets buckets = new CapacityBuckets(nodes.capacity());
    private NodeSets sets = new NodeSets(nodes);

    /** Returns an index of a cluster without nodes. */
    public static SnapshotIndex create() {
        return new SnapshotIndex();
    }

    private SnapshotIndex() {}

    /** Lets something follow the nodes; it is told at once that all slots are new. */
    public void listen(NodeListener listener) {
        listeners.add(listener);
        listener.rebuilt();
    }

    /** Goes to a snapshot: O(changes &middot; log n) if it shares its parts with the one before, else O(n). */
    @SuppressWarnings("ReferenceEquality") // the same snapshot has no changes
    public void follow(Cluster next) {
        if (next == cluster) {
            return;
        }
        Cluster older = cluster;
        cluster = next;
        rules.go(next);
        if (older.size() == 0) {
            rebuild();
            return;
        }
        next.forEachChange(older, this::change);
        join();
    }

    /** Puts nodes that join into slots once all that leave have left, which may be the same under another topology. */
    private void join() {
        boolean fits = joining.size() <= NODES_FOR_EACH_THAT_JOINS + cluster.size() / NODES_FOR_EACH_THAT_JOINS;
        for (int i = 0; i < joining.size() && fits; i++) {
            domains.clear();
            fits = nodes.insert(joining.get(i), this::note);
        }
        joining.clear();
        if (!fits) {
            rebuild();
        }
    }

    private void rebuild() {
        nodes = new NodeSlots(cluster.nodes());
        buckets = new CapacityBuckets(nodes.capacity());
        sets = new NodeSets(nodes);
        for (int slot = next(0); slot >= 0; slot = next(slot + 1)) {
            buckets.changed(slot, null, nodes.get(slot));
            sets.changed(slot, null, nodes.get(slot));
        }
        domains.clear();
        rules.restart();
        listeners.forEach(NodeListener::rebuilt);
    }

    private void change(@Nullable NodeState before, @Nullable NodeState after) {
        if (before != null && after != null && standAlike(before.node(), after.node())) {
            int slot = nodes.slot(before.name());
            nodes.replace(slot, after);
            relabel(before.node(), after.node());
            note(slot, before, after);
            return;
        }
        if (before != null) {
            int slot = nodes.slot(before.name());
            nodes.remove(slot);
            domains.clear();
            note(slot, before, null);
        }
        if (after != null) {
            joining.add(after);
        }
    }

    /** Forgets domains where other labels may make others. */
    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    private void relabel(Node before, Node after) {
        if (before != after && !before.labels().equals(after.labels())) {
            domains.clear();
        }
    }

    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    private static boolean standAlike(Node before, Node after) {
        return before == after || before.topology().equals(after.topology());
    }

    private void note(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        buckets.changed(slot, before, after);
        sets.changed(slot, before, after);
        rules.changed(before, after);
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).changed(slot, before, after);
        }
    }

    /** Returns the snapshot it is at. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns the counts of the rules between pods. */
    public RuleCounts rules() {
        return rules;
    }

    /** Returns the number of nodes. */
    public int size() {
        return nodes.taken().size();
    }

    /** Returns the number that all slots are below until they are given again. */
    public int capacity() {
        return nodes.capacity();
    }

    /**
     * Returns the node in a slot.
     *
     * @throws IllegalStateException if there is none
     */
    public NodeState state(int slot) {
        NodeState state = nodes.get(slot);
        if (state == null) {
            throw new IllegalStateException("no node is in slot " + slot);
        }
        return state;
    }

    /** Returns the slot of the node of this name, or -1. */
    public int slot(String name) {
        return nodes.slot(Objects.requireNonNull(name, "name"));
    }

    /** Returns the first slot with a node from this one on, or -1. */
    public int next(int from) {
        return nodes.taken().next(from);
    }

    /** Returns the first slot of a range with a node from this one on, or -1. */
    public int next(SlotRange range, int from) {
        return range.next(nodes.taken(), from);
    }

    /** Returns the slot of the node before which stand this many others, or -1. */
    public int at(int rank) {
        return nodes.taken().select(rank);
    }

    /** Returns the nodes of a range in order. */
    public List<NodeState> nodes(SlotRange range) {
        List<NodeState> found = new ArrayList<>();
        for (int slot = next(range, 0); slot >= 0; slot = next(range, slot + 1)) {
            found.add(state(slot));
        }
        return found;
    }

    /** Returns how many nodes are in a range. */
    public int size(SlotRange range) {
        return nodes.taken().count(range);
    }

    /**
     * Returns the domains of a level in node order. Where a node's topology does not have the level, its label of this name stands for it.
     * After nodes joined, left or changed their labels O(domains &middot; log n + nodes without the level), else O(1).
     */
    public List<Domain> domains(String level) {
        return domains.of(level, nodes);
    }

    /** Returns the nodes that a pod may go to, as its rules are in this snapshot, and that have the CPU and memory for it. */
    public CandidateSet candidates(PodDemand demand) {
        RuleSet rules = demand.rules();
        IntPredicate test = rules != null && !rules.areRequirements() ? remembered(rules) : null;
        return new CandidateSet(this, demand.resources(), sets.of(demand), test);
    }

    /** A search may come to a node again and again, once for each kind of room; what rules say of it is looked up once. */
    private IntPredicate remembered(RuleSet rules) {
        BitSet known = new BitSet();
        BitSet admitted = new BitSet();
        return slot -> {
            if (!known.get(slot)) {
                known.set(slot);
                admitted.set(slot, rules.refusal(state(slot).node()) == null);
            }
            return admitted.get(slot);
        };
    }

    /** Returns the nodes whose hardware, taints and cordon each admit any of these pods, whatever their labels and however little they have free. */
    public CandidateSet admitting(Collection<PodDemand> demands) {
        return new CandidateSet(this, Resources.NONE, sets.hardware(demands).toArray(NodeCondition[]::new), null);
    }

    /** Returns the classes of the nodes, without taints. */
    public List<NodeClass> classes() {
        return sets.hardware.classes();
    }

    /** Returns what the nodes have free. */
    CapacityBuckets buckets() {
        return buckets;
    }

    /** Throws {@link IllegalStateException} unless everything it knows is true of the snapshot it is at; O(n). */
    public void validate() {
        if (nodes.validate() != cluster.size()) {
            throw new IllegalStateException(size() + " nodes instead of " + cluster.size());
        }
        CapacityBuckets fresh = new CapacityBuckets(nodes.capacity());
        for (NodeState node : cluster.nodes()) {
            int slot = slot(node.name());
            if (slot < 0 || !state(slot).equals(node)) {
                throw new IllegalStateException("not as in the snapshot: " + node);
            }
            fresh.changed(slot, null, state(slot));
        }
        buckets.validate(fresh);
    }
}
