package io.gpusched.internal.gang;

import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which domains of a level may hold a group, by counts that the index keeps. */
public final class GangDomains {
    private final Cluster cluster;
    private final List<ClassIndex> classes;
    private final long leastNodes;
    private final long leastGpus;
    private final long full;

    /** The domains of wider levels that were asked for, and their room. */
    private final Map<String, Map<Topology, NodeRange>> ranges = new HashMap<>();

    private final Map<Topology, Long> rooms = new HashMap<>();

    /**
     * A domain, or the part of it that the group may use, and what is free there.
     *
     * @param room empty nodes if the group needs whole nodes, else idle GPUs
     */
    public record Candidate(TopologyDomain domain, NodeRange range, long room) {}

    public GangDomains(Cluster cluster, Gang gang) {
        this.cluster = cluster;
        this.classes = gang.classes(cluster);
        this.leastNodes = gang.leastSum(MemberKind::wholeNodes);
        this.leastGpus = gang.leastSum(MemberKind::idleGpus);
        this.full = leastNodes > 0 ? gang.sum(MemberKind::wholeNodes) : gang.sum(MemberKind::idleGpus);
    }

    /** Returns whether counts leave it open that the group can start in a range of the node order; O(classes · log n). */
    public boolean mayStart(NodeRange range) {
        return !classes.isEmpty()
                && (leastNodes == 0 || emptyNodes(range) >= leastNodes)
                && (leastGpus == 0 || idleGpus(range) >= leastGpus);
    }

    /**
     * Returns the domains of a level within a range that may start the group: first those with room for all of it, the
     * tightest first, and of equally tight ones that in the wider domain with the least room, so that wide domains stay
     * whole; then the others, the roomiest first. Equal ones stand in node order.
     */
    public List<Candidate> candidates(String level, NodeRange within) {
        List<Candidate> found = all(level, within);
        long least = leastNodes > 0 ? leastNodes : leastGpus;
        found.removeIf(candidate -> candidate.room() < least);
        Map<NodeRange, long[]> around = new HashMap<>();
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
    public List<Candidate> roomiestFirst(String level, NodeRange within) {
        List<Candidate> found = all(level, within);
        found.sort(Comparator.comparingLong(Candidate::room).reversed());
        return found;
    }

    private List<Candidate> all(String level, NodeRange within) {
        List<Candidate> found = new ArrayList<>();
        for (TopologyDomain domain : cluster.domains(level)) {
            NodeRange range = NodeRange.of(domain).and(within);
            if (!range.isEmpty()) {
                found.add(new Candidate(domain, range, room(range)));
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
            NodeRange range = ranges(path.get(depth - 1).level()).get(wider);
            around[i] = range == null ? 0 : rooms.computeIfAbsent(wider, any -> room(range));
        }
        return around;
    }

    private Map<Topology, NodeRange> ranges(String level) {
        return ranges.computeIfAbsent(level, any -> {
            Map<Topology, NodeRange> found = new HashMap<>();
            cluster.domains(level).forEach(domain -> found.put(domain.path(), NodeRange.of(domain)));
            return found;
        });
    }

    private long room(NodeRange range) {
        return leastNodes > 0 ? emptyNodes(range) : idleGpus(range);
    }

    private long emptyNodes(NodeRange range) {
        return classes.stream().mapToLong(nodes -> nodes.emptyNodes(range)).sum();
    }

    private long idleGpus(NodeRange range) {
        return classes.stream().mapToLong(nodes -> nodes.idleGpus(range)).sum();
    }
}
