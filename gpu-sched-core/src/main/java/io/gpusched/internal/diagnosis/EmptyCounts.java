package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.MemberKind;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a group could start if nothing ran and all nodes were healthy and open, by counts: for each place that it may use, how
 * many members of each kind its nodes take when no others are there, and how many GPUs and nodes it has. That it could not is
 * proven; that it could is not. O(nodes · kinds).
 */
final class EmptyCounts {
    private final Gang gang;
    private final long leastGpus;
    private final long leastNodes;

    /** By kind and form. */
    private final List<List<NodeReasons>> filters = new ArrayList<>();

    private final Map<Machine, NodeState> emptied = new HashMap<>();

    /** Machines that differ in UUIDs, names and labels at most. */
    private record Machine(NodeClass nodeClass, Resources capacity) {}

    EmptyCounts(Gang gang, SearchSteps steps) {
        this.gang = gang;
        this.leastGpus = gang.leastSum(MemberKind::idleGpus);
        this.leastNodes = gang.leastSum(MemberKind::wholeNodes);
        for (MemberKind kind : gang.kinds()) {
            List<NodeReasons> forms = new ArrayList<>();
            for (PodDemand form = kind.demand(); form != null; form = form.otherwise()) {
                forms.add(new NodeReasons(form, false, steps));
            }
            filters.add(forms);
        }
    }

    /** Counts of one place. */
    private final class Room {
        private final long[] byKind = new long[filters.size()];
        private long gpus;
        private long nodes;

        void add(NodeState node) {
            boolean isUsed = false;
            for (MemberKind kind : gang.kinds()) {
                long here = count(kind, node);
                byKind[kind.index()] += here;
                isUsed |= here > 0;
            }
            gpus += isUsed ? node.gpuCount() : 0;
            nodes += isUsed ? 1 : 0;
        }

        boolean mayStart() {
            int[] most = new int[byKind.length];
            for (MemberKind kind : gang.kinds()) {
                most[kind.index()] = (int) Math.min(kind.size(), byKind[kind.index()]);
            }
            return gang.canStart(most) && gpus >= leastGpus && nodes >= leastNodes;
        }
    }

    /** Whether some place of a cluster may hold enough members. */
    boolean mayStart(Cluster cluster) {
        Map<Object, Room> rooms = new HashMap<>();
        for (NodeState node : cluster.nodes()) {
            Object place = place(node);
            if (!place.equals(Topology.NONE)) {
                rooms.computeIfAbsent(place, any -> new Room()).add(node);
            }
        }
        return rooms.values().stream().anyMatch(Room::mayStart);
    }

    /** Whether these nodes may hold enough members. */
    boolean mayStart(List<NodeState> nodes) {
        Room room = new Room();
        nodes.forEach(room::add);
        return room.mayStart();
    }

    /** The place of a node; the group may use one such place; {@link Topology#NONE} if it is in none. */
    private Object place(NodeState node) {
        Locality locality = gang.group().locality();
        if (!locality.required() || locality.scope() == Locality.Scope.ANYWHERE) {
            return Locality.Scope.ANYWHERE;
        }
        return locality.scope() == Locality.Scope.NODE ? node.name() : MissingLevel.domain(node, locality.level());
    }

    /** Returns a kind in the first form that some of these nodes may take. */
    PodDemand form(MemberKind kind, List<NodeState> nodes) {
        return filters.get(kind.index()).stream()
                .filter(form -> nodes.stream().anyMatch(node -> count(form, node) > 0))
                .map(NodeReasons::demand)
                .findFirst()
                .orElse(kind.demand());
    }

    /** How many members of a kind a node takes at most. */
    private long count(MemberKind kind, NodeState node) {
        return filters.get(kind.index()).stream()
                .mapToLong(form -> count(form, node))
                .sum();
    }

    private long count(NodeReasons form, NodeState node) {
        if (!form.toleratesTaints(node) || !form.acceptsLabels(node) || !form.mayHold(node)) {
            return 0;
        }
        NodeState empty = emptied.computeIfAbsent(new Machine(node.nodeClass(), node.capacity()), any -> emptied(node));
        PodDemand demand = form.demand();
        return PodCapacity.isExact(demand) ? PodCapacity.of(demand, empty) : PodCapacity.atMost(demand, empty);
    }

    private static NodeState emptied(NodeState node) {
        return Cluster.of(List.of(PodCapacity.healed(node.node()))).node(0);
    }
}
