package io.gpusched.internal.gang;

import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which domains of a level may hold a group, by counts that the cluster's tree knows. */
public final class GangDomains {
    private final Cluster cluster;
    private final List<ClassIndex> classes;
    private final Gang.Bulk least;
    private final Gang.Bulk full;
    private final int mostGpus;

    /**
     * A domain, or the part of it that the group may use, and what is free there.
     *
     * @param room empty nodes if the group needs whole nodes, else idle GPUs
     */
    public record Candidate(TopologyDomain domain, NodeRange range, long room) {}

    public GangDomains(Cluster cluster, Gang gang) {
        this.cluster = cluster;
        this.classes = gang.classes(cluster);
        this.least = gang.leastBulk();
        this.full = gang.fullBulk();
        this.mostGpus = classes.stream()
                .mapToInt(nodes -> nodes.nodeClass().gpus().size())
                .max()
                .orElse(0);
    }

    /** The classes of nodes that may admit any member. */
    public List<ClassIndex> classes() {
        return classes;
    }

    /** Whether counts leave it open that the group can start in a range of the node order; O(classes · log n). */
    public boolean mayStart(NodeRange range) {
        if (classes.isEmpty()) {
            return false;
        }
        return (least.emptyNodes() == 0 || emptyNodes(range) >= least.emptyNodes())
                && (least.idleGpus() == 0 || idleGpus(range) >= least.idleGpus());
    }

    /**
     * Returns the domains of a level within a range that may start the group: first those with room for all of it, the
     * tightest first, and of equally tight ones that in the wider domain with the least room, so that wide domains stay
     * whole; then the others, the roomiest first. Equal ones stand in node order.
     */
    public List<Candidate> candidates(String level, NodeRange within) {
        long all = room(full);
        List<Candidate> found = new ArrayList<>();
        for (TopologyDomain domain : cluster.domains(level)) {
            NodeRange range = NodeRange.of(domain).and(within);
            if (range.isEmpty()
                    || least.emptyNodes() > domain.size()
                    || least.idleGpus() > (long) domain.size() * mostGpus) {
                continue;
            }
            long room = room(range);
            if (room >= room(least)) {
                found.add(new Candidate(domain, range, room));
            }
        }
        found.sort(Comparator.comparing((Candidate candidate) -> candidate.room() < all)
                .thenComparingLong(candidate -> candidate.room() < all ? -candidate.room() : candidate.room()));
        sortTies(level, found, all);
        return found;
    }

    /** Sorts each run of equally tight candidates by the room of the domains around them, from near to wide. */
    private void sortTies(String level, List<Candidate> sorted, long all) {
        Map<String, WideLevel> wider = new HashMap<>();
        for (int from = 0; from < sorted.size() && sorted.get(from).room() >= all; ) {
            int to = from + 1;
            while (to < sorted.size()
                    && sorted.get(to).room() == sorted.get(from).room()) {
                to++;
            }
            if (to - from > 1) {
                List<WideLevel> levels = wider(level, sorted.get(from).domain().path(), wider);
                List<Candidate> ties = sorted.subList(from, to);
                List<Around> around = new ArrayList<>();
                ties.forEach(tie -> around.add(new Around(tie, roomsAround(tie.range(), levels))));
                around.sort(null);
                for (int i = 0; i < around.size(); i++) {
                    ties.set(i, around.get(i).candidate());
                }
            }
            from = to;
        }
    }

    /** The levels of a path other than this one, from near to wide. */
    private List<WideLevel> wider(String level, Topology path, Map<String, WideLevel> known) {
        List<WideLevel> levels = new ArrayList<>();
        for (Topology.Domain domain : path.domains()) {
            if (!domain.level().equals(level)) {
                levels.add(known.computeIfAbsent(domain.level(), name -> new WideLevel(cluster.domains(name))));
            }
        }
        Collections.reverse(levels);
        return levels;
    }

    private static LongArrayList roomsAround(NodeRange range, List<WideLevel> levels) {
        LongArrayList rooms = new LongArrayList(levels.size());
        levels.forEach(level -> rooms.add(level.roomAround(range)));
        return rooms;
    }

    /** A candidate with the room of each domain around it, from near to wide. */
    private record Around(Candidate candidate, LongArrayList rooms) implements Comparable<Around> {
        @Override
        public int compareTo(Around other) {
            return rooms.compareTo(other.rooms);
        }
    }

    /** The domains of a level with their room, each counted once and only if it is asked for. */
    private final class WideLevel {
        private final List<TopologyDomain> domains;

        /** -1 where it was not asked for. */
        private final long[] room;

        WideLevel(List<TopologyDomain> domains) {
            this.domains = domains;
            this.room = new long[domains.size()];
            Arrays.fill(room, -1);
        }

        /** The room of the domain that has nodes of a range; 0 if none has. */
        long roomAround(NodeRange range) {
            int at = firstBehind(range.from());
            if (at == domains.size()) {
                return 0;
            }
            NodeRange domain = NodeRange.of(domains.get(at));
            if (domain.and(range).isEmpty()) {
                return 0;
            }
            if (room[at] < 0) {
                room[at] = room(domain);
            }
            return room[at];
        }

        /** Which is the first domain that reaches beyond a key of the node order. */
        private int firstBehind(long key) {
            int from = 0;
            int to = domains.size();
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (NodeRange.of(domains.get(middle)).to() <= key) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from;
        }
    }

    /** Returns all domains of a level within a range, the roomiest first. */
    public List<Candidate> roomiestFirst(String level, NodeRange within) {
        List<Candidate> rooms = new ArrayList<>();
        for (TopologyDomain domain : cluster.domains(level)) {
            NodeRange range = NodeRange.of(domain).and(within);
            if (!range.isEmpty()) {
                rooms.add(new Candidate(domain, range, room(range)));
            }
        }
        rooms.sort(Comparator.comparingLong(Candidate::room).reversed());
        return rooms;
    }

    private long room(Gang.Bulk bulk) {
        return least.emptyNodes() > 0 ? bulk.emptyNodes() : bulk.idleGpus();
    }

    private long room(NodeRange range) {
        return least.emptyNodes() > 0 ? emptyNodes(range) : idleGpus(range);
    }

    private long emptyNodes(NodeRange range) {
        long sum = 0;
        for (int i = 0; i < classes.size(); i++) {
            sum += classes.get(i).emptyNodes(range);
        }
        return sum;
    }

    private long idleGpus(NodeRange range) {
        long sum = 0;
        for (int i = 0; i < classes.size(); i++) {
            sum += classes.get(i).idleGpus(range);
        }
        return sum;
    }
}
