package io.gpusched.schedule;

import io.gpusched.internal.Tournament;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.objects.Object2LongOpenCustomHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The scores of all nodes for one shape of pod, with the best of each class at hand. Not thread-safe. */
final class ShapeScores {
    /** What stands for a node that cannot take the pod. */
    static final long NO_ROOM = Long.MIN_VALUE;

    private static final int MEMO_SIZE = 1 << 15;

    static final Hash.Strategy<NodeState> BY_OCCUPANCY = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return node.occupancyHash();
        }

        @Override
        public boolean equals(NodeState a, NodeState b) {
            return a != null && b != null && a.sameOccupancy(b);
        }
    };

    private final Scorer scorer;
    private final Admission.Verdict[] verdicts;

    /** By class index; null for classes that can never take the pod. */
    private final List<@Nullable Tournament> tournaments = new ArrayList<>();

    private final Object2LongOpenCustomHashMap<NodeState> memo = new Object2LongOpenCustomHashMap<>(BY_OCCUPANCY);
    private final int size;
    private long logPosition;

    /** Scores one node; {@link #NO_ROOM} if it cannot take the pod. */
    interface Scorer extends ToLongFunction<NodeState> {
        /** Returns whether nodes of the same occupancy score equally. */
        boolean byOccupancy();
    }

    ShapeScores(Cluster cluster, PodDemand demand, Scorer scorer) {
        this.scorer = scorer;
        this.size = cluster.size();
        this.verdicts = new Admission.Verdict[cluster.classes().size()];
        for (NodeClass nodeClass : cluster.classes()) {
            verdicts[nodeClass.index()] = Admission.of(demand, nodeClass);
        }
        rebuild(cluster);
    }

    int size() {
        return size;
    }

    long logPosition() {
        return logPosition;
    }

    void caughtUp(long position) {
        logPosition = position;
    }

    /** Scores every node anew. */
    void rebuild(Cluster cluster) {
        tournaments.clear();
        for (NodeClass nodeClass : cluster.classes()) {
            tournaments.add(verdicts[nodeClass.index()] == Admission.Verdict.NEVER ? null : build(cluster, nodeClass));
        }
    }

    private Tournament build(Cluster cluster, NodeClass nodeClass) {
        long[] scores = new long[nodeClass.size()];
        for (int slot = 0; slot < scores.length; slot++) {
            scores[slot] = score(cluster.node(nodeClass, slot));
        }
        return new Tournament(scores);
    }

    /** Takes note of a node's new state. */
    void update(NodeState node) {
        Tournament tournament = tournaments.get(node.nodeClass().index());
        if (tournament != null) {
            tournament.set(node.slot(), score(node));
        }
    }

    private long score(NodeState node) {
        if (!scorer.byOccupancy()) {
            return scorer.applyAsLong(node);
        }
        if (memo.size() >= MEMO_SIZE) {
            memo.clear();
        }
        long known = memo.getOrDefault(node, Long.MAX_VALUE);
        if (known == Long.MAX_VALUE) {
            known = scorer.applyAsLong(node);
            memo.put(node, known);
        }
        return known;
    }

    /** Returns the best score in a class, or {@link #NO_ROOM}. */
    long best(NodeClass nodeClass) {
        Tournament tournament = tournaments.get(nodeClass.index());
        return tournament == null ? NO_ROOM : tournament.max();
    }

    /** Returns the slot of the first node with the best score in a class that has room. */
    int firstBest(NodeClass nodeClass) {
        Tournament tournament = tournaments.get(nodeClass.index());
        return tournament == null ? -1 : tournament.first();
    }
}
