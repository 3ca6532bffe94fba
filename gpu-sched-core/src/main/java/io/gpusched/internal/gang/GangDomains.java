package io.gpusched.internal.gang;

import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.TopologyDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which domains of a level may hold a group, by counts that the cluster's tree knows. */
public final class GangDomains {
    private final Cluster cluster;
    private final Gang gang;
    private final List<ClassIndex> classes;
    private final Gang.Bulk least;
    private final Gang.Bulk full;
    private final int mostGpus;

    /**
     * A domain and what is free there.
     *
     * @param room empty nodes if the group needs whole nodes, else idle GPUs
     */
    public record Candidate(TopologyDomain domain, long room) {}

    public GangDomains(Cluster cluster, Gang gang) {
        this.cluster = cluster;
        this.gang = gang;
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
     * Returns the domains that may start the group: first those with room for all of it, the tightest first, then the
     * others, the roomiest first; equal ones in node order.
     */
    public List<Candidate> candidates() {
        long all = room(full);
        List<Candidate> found = new ArrayList<>();
        for (TopologyDomain domain : cluster.domains(gang.group().locality().level())) {
            if (least.emptyNodes() > domain.size() || least.idleGpus() > (long) domain.size() * mostGpus) {
                continue;
            }
            long room = room(domain);
            if (room >= room(least)) {
                found.add(new Candidate(domain, room));
            }
        }
        found.sort(Comparator.comparing((Candidate room) -> room.room() < all)
                .thenComparingLong(room -> room.room() < all ? -room.room() : room.room()));
        return found;
    }

    /** Returns all domains, the roomiest first. */
    public List<TopologyDomain> roomiestFirst() {
        List<Candidate> rooms = new ArrayList<>();
        for (TopologyDomain domain : cluster.domains(gang.group().locality().level())) {
            rooms.add(new Candidate(domain, room(domain)));
        }
        rooms.sort(Comparator.comparingLong(Candidate::room).reversed());
        return rooms.stream().map(Candidate::domain).toList();
    }

    private long room(Gang.Bulk bulk) {
        return least.emptyNodes() > 0 ? bulk.emptyNodes() : bulk.idleGpus();
    }

    private long room(TopologyDomain domain) {
        return least.emptyNodes() > 0 ? emptyNodes(NodeRange.of(domain)) : idleGpus(NodeRange.of(domain));
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
