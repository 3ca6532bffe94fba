package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeSummaryEncoder;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one snapshot by labels, taints and what they have free, and how this follows other snapshots that came of the
 * same cluster: by their difference. Not thread-safe.
 */
final class SelectionIndex {
    /** Where taints leave more than one node in so many, the others are as quickly passed by. */
    private static final int MOST_TOLERATED = 2;

    private final SlotTable nodes;
    private final CapacityMap capacity = new CapacityMap();
    private final LabelIndex labels;
    private final TaintIndex taints;
    private final ResourceIndex resources;
    private final SlotSet byLabels = new SlotSet();
    private final SlotSet byTaints = new SlotSet();

    /** The snapshot whose states of nodes are known. */
    private Cluster seen;

    /** The snapshot it is at, which has the same nodes in the same places, but perhaps in other states. */
    private Cluster current;

    SelectionIndex(Cluster cluster) {
        this.seen = cluster;
        this.current = cluster;
        this.nodes = new SlotTable(cluster);
        this.labels = new LabelIndex(nodes);
        this.taints = new TaintIndex(nodes);
        this.resources = new ResourceIndex(nodes);
        ClusterIndex index = ClusterIndex.of(cluster);
        for (int slot = nodes.next(0); slot >= 0; slot = nodes.next(slot + 1)) {
            taints.add(slot, nodes.state(slot).nodeClass());
            capacity.replace(slot, null, nodes.state(slot), encoder(index, nodes.state(slot)));
        }
    }

    private static NodeSummaryEncoder encoder(ClusterIndex index, NodeState node) {
        return NodeSummaryEncoder.of(index.treeClass(node).capacity());
    }

    /** Whether it can follow a snapshot by what changed. */
    boolean isOf(Cluster cluster) {
        return ClusterIndex.of(seen).isRelatedTo(ClusterIndex.of(cluster));
    }

    /** Whether so many nodes came and left that a new one serves better. */
    boolean isWorn() {
        return nodes.isWorn();
    }

    /**
     * Goes to another snapshot: in O(1) if no node changed, else O(changed nodes &middot; (log n + labels in use)), of which the
     * labels count only for nodes that are not the same as before.
     */
    void follow(Cluster cluster) {
        current = cluster;
        if (!ClusterIndex.of(cluster).hasSameNodes(ClusterIndex.of(seen))) {
            catchUp();
        }
    }

    /** Takes note of the states of nodes at the snapshot it is at. */
    @SuppressWarnings("ReferenceEquality") // a snapshot that is the same object has no changes
    void catchUp() {
        if (current != seen) {
            new Update(ClusterIndex.of(current)).from(seen);
            seen = current;
        }
    }

    /** The way to another snapshot. */
    private final class Update {
        private final ClusterIndex index;

        /** Nodes that came, left or moved: a number or a place may pass from one to another, so all leave before any comes. */
        private final List<NodeState> gone = new ArrayList<>();

        private final List<NodeState> come = new ArrayList<>();

        Update(ClusterIndex index) {
            this.index = index;
        }

        void from(Cluster older) {
            current.forEachChange(older, this::replace);
            gone.forEach(this::remove);
            come.forEach(this::add);
        }

        @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
        private void replace(@Nullable NodeState before, @Nullable NodeState after) {
            if (before == null || after == null || !standsAsBefore(before, after)) {
                addTo(gone, before);
                addTo(come, after);
                return;
            }
            int slot = nodes.slot(before);
            if (before.node() != after.node()) {
                labels.replace(slot, before.node(), after.node());
                taints.remove(slot, before.nodeClass());
                taints.add(slot, after.nodeClass());
            }
            nodes.replace(slot, after);
            note(slot, before, after);
        }

        private void addTo(List<NodeState> list, @Nullable NodeState node) {
            if (node != null) {
                list.add(node);
            }
        }

        /** Whether a node is in the same tree between the same others, though perhaps under another key. */
        private boolean standsAsBefore(NodeState before, NodeState after) {
            return NodeAccess.number(before) == NodeAccess.number(after)
                    && NodeAccess.tree(before) == NodeAccess.tree(after)
                    && (NodeAccess.order(before) == NodeAccess.order(after)
                            || before.node().topology().equals(after.node().topology()));
        }

        private void remove(NodeState node) {
            int slot = nodes.slot(node);
            labels.remove(slot, node.node());
            taints.remove(slot, node.nodeClass());
            note(slot, node, null);
            nodes.remove(slot);
        }

        private void add(NodeState node) {
            int slot = nodes.add(node);
            labels.add(slot, node.node());
            taints.add(slot, node.nodeClass());
            note(slot, null, node);
        }

        private void note(int slot, @Nullable NodeState before, @Nullable NodeState after) {
            NodeState either = after == null ? before : after;
            if (either != null) {
                NodeSummaryEncoder encoder =
                        after == null ? NodeSummaryEncoder.of(either.capacity()) : encoder(index, after);
                capacity.replace(slot, before, after, encoder);
                resources.replace(slot, before, after);
            }
        }
    }

    /** Returns the snapshot it is at. */
    Cluster current() {
        return current;
    }

    /** Returns the nodes, in states that are those of the snapshot once it has {@linkplain #catchUp caught up}. */
    SlotTable nodes() {
        return nodes;
    }

    /**
     * Returns where to look for room for a pod.
     *
     * @param selector labels that its nodes must have
     */
    Candidates candidates(PodDemand demand, NodeSelector selector) {
        Pod pod = demand.pod();
        Lead selected = selector.terms().isEmpty() ? null : labels.lead(selector);
        Lead tolerated = pod.tolerations().isEmpty() ? null : taints.lead(pod.tolerations());
        if (tolerated != null && tolerated.size() > nodes.size() / MOST_TOLERATED) {
            tolerated = null;
        }
        boolean byTaintsAlone = pod.nodeSelector().terms().isEmpty() && !demand.isRuled();
        return new Candidates(this, demand, selected, tolerated, byTaintsAlone);
    }

    /** Returns where to look for room for a pod by what it asks for by name, or null if too many names are in use. */
    @Nullable
    Candidates havingResources(PodDemand demand) {
        catchUp();
        Lead having = resources.lead(demand.resources().named());
        if (having == null) {
            return null;
        }
        having.setInexact(); // it says nothing of labels
        return new Candidates(this, demand, having, null, false);
    }

    /** Returns an exact test of what labels, taints and rules admit, by slot. */
    IntPredicate test(PodDemand demand) {
        return test(demand, false, false);
    }

    /**
     * Returns such a test for nodes of which some is known already.
     *
     * @param areSelected whether all that are tested have the labels that the pod selects
     * @param areLed whether all of them are in the lead of the pod's tolerations
     */
    private IntPredicate test(PodDemand demand, boolean areSelected, boolean areLed) {
        RuleSet rules = demand.rules();
        boolean byLabels = !areSelected && !demand.pod().nodeSelector().terms().isEmpty();
        IntPredicate test = byLabels ? byLabels(demand) : null;
        test = and(test, taints.test(demand, areLed));
        if (rules != null && rules.refuses()) {
            test = and(test, remembering(slot -> rules.admits(nodes.state(slot).node())));
        }
        return test == null ? slot -> true : test;
    }

    /** A search may come to a node again and again, once for each kind of room; what rules say of it is looked up once. */
    private static IntPredicate remembering(IntPredicate test) {
        BitSet known = new BitSet();
        BitSet passing = new BitSet();
        return slot -> {
            if (!known.get(slot)) {
                known.set(slot);
                passing.set(slot, test.test(slot));
            }
            return passing.get(slot);
        };
    }

    private static @Nullable IntPredicate and(@Nullable IntPredicate one, @Nullable IntPredicate other) {
        return one == null || other == null ? (one == null ? other : one) : one.and(other);
    }

    private IntPredicate byLabels(PodDemand demand) {
        NodeSelector selector = demand.pod().nodeSelector();
        return LabelIndex.isFollowed(selector)
                ? labels.test(selector)
                : slot -> demand.acceptsLabels(nodes.state(slot).node());
    }

    /** Returns the nodes of each tree that may take the pod, by labels, taints and rules, at the snapshot it is at. */
    List<NodeIndex> admitted(PodDemand demand, @Nullable Lead selected, @Nullable Lead tolerated) {
        catchUp();
        IntPredicate test = test(demand, selected != null && selected.isExact(), tolerated != null);
        List<SlotSet> sets = new ArrayList<>(2);
        if (selected != null) {
            selected.addTo(sets, byLabels);
        }
        if (tolerated != null) {
            tolerated.addTo(sets, byTaints);
        }
        SlotSet[] all = sets.toArray(SlotSet[]::new);
        List<NodeIndex> admitted = new ArrayList<>();
        for (ClassIndex tree : ClusterIndex.of(current).classes()) {
            if (!mayHave(tree.position(), all)) {
                continue;
            }
            admitted.add(new AdmittedNodes(nodes, capacity, tree.position(), tree.nodeClass(), all, test));
        }
        return admitted;
    }

    /** Whether any node of a tree may be in all of some sets. */
    private boolean mayHave(int tree, SlotSet[] sets) {
        for (SlotSet set : sets) {
            int first = set.next(nodes.start(tree, 0));
            if ((first < 0 || first >= nodes.end(tree)) && nodes.late().isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
