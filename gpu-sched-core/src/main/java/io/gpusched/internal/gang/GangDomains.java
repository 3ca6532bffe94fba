package io.gpusched.internal.gang;

import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which domains of a level may hold a group, by counts that the index keeps. */
public final class GangDomains {
    private final Cluster cluster;
    private final Gang gang;
    private final PlacementSearch search;
    private final long leastNodes;
    private final long leastGpus;
    private final long full;

    /** The domains of wider levels that were asked for, and their room. */
    private final Map<String, Map<Topology, SlotRange>> ranges = new HashMap<>();

    private final Map<Topology, Long> rooms = new HashMap<>();

    /**
     * A domain, or the part of it that the group may use, and what is free there.
     *
     * @param room empty nodes if the group needs whole nodes, else idle GPUs
     */
    public record Candidate(Domain domain, SlotRange range, long room) {}

    public GangDomains(PlacementSearch search, Cluster cluster, Gang gang) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.leastNodes = gang.leastSum(MemberKind::wholeNodes);
        this.leastGpus = gang.leastSum(MemberKind::idleGpus);
        this.full = leastNodes > 0 ? gang.sum(MemberKind::wholeNodes) : gang.sum(MemberKind::idleGpus);
    }

    /** Returns whether counts leave it open that the group can start in a range of nodes; O(words of its slots). */
    public boolean mayStart(SlotRange range) {
        CandidateSet nodes = nodes();
        return gang.mayUseAny(search.index(cluster).classes())
                && (leastNodes == 0 || nodes.emptyNodes(range) >= leastNodes)
                && (leastGpus == 0 || nodes.idleGpus(range) >= leastGpus);
    }

    /**
     * Returns the domains of a level within a range that may start the group: first those with room for all of it, the
     * tightest first, and of equally tight ones that in the wider domain with the least room, so that wide domains stay
     * whole; then the others, the roomiest first. Equal ones stand in node order.
     */
    public List<Candidate> candidates(String level, SlotRange within) {
        List<Candidate> found = all(level, within);
        long least = leastNodes > 0 ? leastNodes : leastGpus;
        found.removeIf(candidate -> candidate.room() < least);
        Map<SlotRange, long[]> around = new HashMap<>();
        found.sort(Comparator.comparing((Candidate candidate) -> candidate.room() < full)
                .thenComparingLong(candidate -> candidate.room() < full ? -candidate.room() : candidate.room())
                .thenComparing(
                        candidate -> candidate.room() < full
                                ? new long[0]
                                : around.computeIfAbsent(candidate.range(), any -> roomsAround(candidate)),
                        Arrays::compare));
        return found;
    }

    /** Returns all domains of a level within a range, the roomiest first. */
    public List<Candidate> roomiestFirst(String level, SlotRange within) {
        List<Candidate> found = all(level, within);
        found.sort(Comparator.comparingLong(Candidate::room).reversed());
        return found;
    }

    private List<Candidate> all(String level, SlotRange within) {
        List<Candidate> found = new ArrayList<>();
        CandidateSet nodes = nodes();
        for (Domain domain : search.index(cluster).domains(level)) {
            SlotRange range = domain.range().and(within);
            if (!range.isEmpty()) {
                found.add(new Candidate(domain, range, room(nodes, range)));
            }
        }
        return found;
    }

    /** Returns the room of each domain around one, from near to wide. */
    private long[] roomsAround(Candidate candidate) {
        List<Topology.Domain> path = candidate.domain().path().domains();
        long[] around = new long[path.size() - 1];
        for (int i = 0; i < around.length; i++) {
            int depth = around.length - i;
            Topology wider = new Topology(path.subList(0, depth));
            SlotRange range = ranges(path.get(depth - 1).level()).get(wider);
            around[i] = range == null ? 0 : rooms.computeIfAbsent(wider, any -> room(nodes(), range));
        }
        return around;
    }

    private Map<Topology, SlotRange> ranges(String level) {
        return ranges.computeIfAbsent(level, any -> {
            Map<Topology, SlotRange> found = new HashMap<>();
            search.index(cluster).domains(level).forEach(domain -> found.put(domain.path(), domain.range()));
            return found;
        });
    }

    private CandidateSet nodes() {
        return search.index(cluster).admitting(gang.demands());
    }

    private long room(CandidateSet nodes, SlotRange range) {
        return leastNodes > 0 ? nodes.emptyNodes(range) : nodes.idleGpus(range);
    }
}
