package io.gpusched.internal.gang;

import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
        for (int from = 0; from < sorted.size() && sorted.get(from).room() >= all; ) {
            int to = from + 1;
            while (to < sorted.size()
                    && sorted.get(to).room() == sorted.get(from).room()) {
                to++;
            }
            if (to - from > 1) {
                WiderRooms rooms =
                        new WiderRooms(level, sorted.get(from).domain().path());
                List<Candidate> ties = sorted.subList(from, to);
                List<Around> around = new ArrayList<>();
                ties.forEach(tie -> around.add(new Around(tie, LongArrayList.wrap(rooms.of(tie.range())))));
                around.sort(null);
                for (int i = 0; i < around.size(); i++) {
                    ties.set(i, around.get(i).candidate());
                }
            }
            from = to;
        }
    }

    /** A candidate with the room of each domain around it, from near to wide. */
    private record Around(Candidate candidate, LongArrayList rooms) implements Comparable<Around> {
        @Override
        public int compareTo(Around other) {
            return rooms.compareTo(other.rooms);
        }
    }

    /** The room of the domains around those of a level; each is counted once, for domains are asked in node order. */
    private final class WiderRooms {
        private final List<List<TopologyDomain>> levels = new ArrayList<>();
        private final int[] at;
        private final long[] room;

        WiderRooms(String level, Topology path) {
            List<Topology.Domain> domains = path.domains();
            for (int i = domains.size() - 1; i >= 0; i--) {
                if (!domains.get(i).level().equals(level)) {
                    levels.add(cluster.domains(domains.get(i).level()));
                }
            }
            at = new int[levels.size()];
            room = new long[levels.size()];
            java.util.Arrays.fill(at, -1);
        }

        long[] of(NodeRange range) {
            long[] rooms = new long[levels.size()];
            for (int l = 0; l < rooms.length; l++) {
                List<TopologyDomain> domains = levels.get(l);
                while (at[l] < domains.size()
                        && (at[l] < 0 || NodeRange.of(domains.get(at[l])).to() <= range.from())) {
                    at[l]++;
                    room[l] = at[l] < domains.size() ? room(NodeRange.of(domains.get(at[l]))) : 0;
                }
                boolean inside = at[l] < domains.size()
                        && !NodeRange.of(domains.get(at[l])).and(range).isEmpty();
                rooms[l] = inside ? room[l] : 0;
            }
            return rooms;
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
