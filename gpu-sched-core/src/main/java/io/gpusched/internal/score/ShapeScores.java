package io.gpusched.internal.score;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeLocation;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterAwarePolicy;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scores of all nodes for one shape of pod, with the best of each class and price group at hand. Not thread-safe. */
public final class ShapeScores {
    private static final int MEMO_SIZE = 1 << 15;

    public static final Hash.Strategy<NodeState> BY_OCCUPANCY = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return NodeAccess.occupancyHash(node);
        }

        @Override
        public boolean equals(NodeState a, NodeState b) {
            return a != null && b != null && NodeAccess.sameOccupancy(a, b);
        }
    };

    private final Scorer scorer;
    private final PodDemand demand;

    /** Without the classes that can never take the pod. */
    private final Map<NodeClass, Group> groups = new LinkedHashMap<>();

    private final Object2ObjectOpenCustomHashMap<NodeState, Scored> memo =
            new Object2ObjectOpenCustomHashMap<>(BY_OCCUPANCY);
    private final ClusterAwarePolicy.Tariff tariff;
    private final int size;
    private long logPosition;

    /** Scores one node; {@link Scored#NOTHING} if it cannot take the pod. */
    public interface Scorer {
        /** Returns whether a node of a class that admits the pod may have room, at a glance. */
        boolean mayFit(NodeState node);

        /** Returns what the policy says of a node of a class that admits the pod. */
        Scored score(NodeState node);

        /** Returns whether nodes of the same occupancy score equally. */
        boolean byOccupancy();
    }

    public ShapeScores(Cluster cluster, PodDemand demand, Scorer scorer, ClusterAwarePolicy.Tariff tariff) {
        this.scorer = scorer;
        this.tariff = tariff;
        this.size = cluster.size();
        this.demand = demand;
        rebuild(cluster);
    }

    public int size() {
        return size;
    }

    public long logPosition() {
        return logPosition;
    }

    public void caughtUp(long position) {
        logPosition = position;
    }

    /** Returns what pods of the shape pay. */
    public ClusterAwarePolicy.Tariff tariff() {
        return tariff;
    }

    /** The nodes of a class in node order, and their scores in the same order. */
    public record Group(NodeClass nodeClass, List<NodeLocation> nodes, ClassScores scores) {}

    /** Scores every node anew. */
    public void rebuild(Cluster cluster) {
        groups.clear();
        Map<NodeClass, List<NodeState>> members = new LinkedHashMap<>();
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            nodes.forEach(node -> members.computeIfAbsent(node.nodeClass(), nodeClass -> new ArrayList<>())
                    .add(node));
        }
        members.forEach((nodeClass, nodes) -> {
            if (Admission.of(demand, nodeClass) != Admission.Verdict.NEVER) {
                groups.put(nodeClass, build(nodeClass, nodes));
            }
        });
    }

    private Group build(NodeClass nodeClass, List<NodeState> nodes) {
        Scored[] scored = new Scored[nodes.size()];
        long[] plain = new long[scored.length];
        for (int slot = 0; slot < scored.length; slot++) {
            scored[slot] = score(nodes.get(slot));
            plain[slot] = scored[slot].key() == 0 ? scored[slot].score() : Scored.NO_ROOM;
        }
        ClassScores scores = new ClassScores(plain);
        for (int slot = 0; slot < scored.length; slot++) {
            if (scored[slot].key() != 0) {
                scores.set(slot, scored[slot]);
            }
        }
        return new Group(nodeClass, nodes.stream().map(NodeAccess::location).toList(), scores);
    }

    /** Takes note of a node's new state. */
    public void update(NodeState node) {
        Group group = groups.get(node.nodeClass());
        if (group != null) {
            int slot = Collections.binarySearch(
                    group.nodes(), NodeAccess.location(node), Comparator.comparingLong(NodeLocation::order));
            group.scores().set(slot, score(node));
        }
    }

    private Scored score(NodeState node) {
        if (!scorer.mayFit(node)) {
            return Scored.NOTHING;
        }
        if (!scorer.byOccupancy()) {
            return scorer.score(node);
        }
        Scored known = memo.get(node);
        if (known == null) {
            if (memo.size() >= MEMO_SIZE) {
                memo.clear();
            }
            known = scorer.score(node);
            memo.put(node, known);
        }
        return known;
    }

    /** Returns the scores by class, without the classes that can never take the pod. */
    public Collection<Group> groups() {
        return groups.values();
    }
}
