package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which domains of a level may hold a group, by counts of idle GPUs and empty nodes that the index keeps. */
public final class GangDomains {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final List<PodDemand> demands;
    private final long leastNodes;
    private final long leastGpus;
    private final long full;

    /**
     * A domain, or the part of it that the group may use, and what is free there.
     *
     * @param room empty nodes if the group needs whole nodes, else idle GPUs
     */
    public record Candidate(Domain domain, SlotRange range, long room) {}

    public GangDomains(PlacementSearch search, Cluster cluster, Gang gang) {
        this.search = search;
        this.cluster = cluster;
        this.demands = gang.demands();
        this.leastNodes = gang.leastSum(MemberKind::wholeNodes);
        this.leastGpus = gang.leastSum(MemberKind::idleGpus);
        this.full = gang.sum(leastNodes > 0 ? MemberKind::wholeNodes : MemberKind::idleGpus);
    }

    /** Returns whether counts leave it open that the group can start in a range. */
    boolean mayStart(SlotRange range) {
        return mayStart(nodes(), range);
    }

    /** Returns whether counts leave it open that the group can start on a node. */
    boolean mayStart(NodeState node) {
        return node.idleGpus() >= leastGpus && (leastNodes == 0 || leastNodes == 1 && node.isEmpty());
    }

    private boolean mayStart(CandidateSet nodes, SlotRange range) {
        return (leastNodes == 0 || nodes.emptyNodes(range) >= leastNodes)
                && (leastGpus == 0 || nodes.idleGpus(range) >= leastGpus);
    }

    /** The nodes that may admit a member, in the snapshot of this group: searches for members moved the index on. */
    private CandidateSet nodes() {
        return search.index(cluster).admitting(demands);
    }

    /**
     * Returns the domains of a level within a range that may start the group: first those with room for all of it, the
     * tightest first, and of equally tight ones that in the wider domain with the least room, so that wide domains stay
     * whole; then the others, the roomiest first. Equal ones stand in node order.
     */
    public List<Candidate> candidates(String level, SlotRange within) {
        CandidateSet nodes = nodes();
        List<Candidate> found = all(level, within, nodes);
        // what room there is was counted: of idle GPUs, unless whole nodes are asked for
        found.removeIf(candidate -> candidate.room() < Math.max(leastNodes, leastNodes > 0 ? 0 : leastGpus)
                || leastNodes > 0 && !mayStart(nodes, candidate.range()));
        Map<Topology, Long> rooms = new HashMap<>();
        Map<SlotRange, long[]> around = new HashMap<>();
        found.sort(Comparator.comparing((Candidate candidate) -> candidate.room() < full)
                .thenComparingLong(candidate -> candidate.room() < full ? -candidate.room() : candidate.room())
                .thenComparing(
                        candidate -> candidate.room() < full
                                ? new long[0]
                                : around.computeIfAbsent(
                                        candidate.range(), any -> roomsAround(candidate, nodes, rooms)),
                        Arrays::compare));
        return found;
    }

    /** Returns all domains of a level within a range, the roomiest first. */
    public List<Candidate> roomiestFirst(String level, SlotRange within) {
        List<Candidate> found = all(level, within, nodes());
        found.sort(Comparator.comparingLong(Candidate::room).reversed());
        return found;
    }

    private List<Candidate> all(String level, SlotRange within, CandidateSet nodes) {
        List<Candidate> found = new ArrayList<>();
        for (Domain domain : search.index(cluster).domains(level)) {
            SlotRange range = domain.range().and(within);
            if (!range.isEmpty()) {
                found.add(new Candidate(domain, range, room(nodes, range)));
            }
        }
        return found;
    }

    /** Returns the room of each domain around one, from near to wide; what was counted is kept. */
    private long[] roomsAround(Candidate candidate, CandidateSet nodes, Map<Topology, Long> rooms) {
        List<Topology.Domain> path = candidate.domain().path().domains();
        long[] around = new long[path.size() - 1];
        for (int i = 0; i < around.length; i++) {
            int depth = around.length - i;
            around[i] = rooms.computeIfAbsent(
                    new Topology(path.subList(0, depth)),
                    wider -> room(nodes, range(path.get(depth - 1).level(), candidate.range())));
        }
        return around;
    }

    /** Returns the domain of a level that a range is in. */
    private SlotRange range(String level, SlotRange inside) {
        List<Domain> domains = search.index(cluster).domains(level);
        int from = 0;
        int to = domains.size() - 1;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (domains.get(middle).range().to() <= inside.from()) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return domains.get(from).range();
    }

    private long room(CandidateSet nodes, SlotRange range) {
        return leastNodes > 0 ? nodes.emptyNodes(range) : nodes.idleGpus(range);
    }
}
