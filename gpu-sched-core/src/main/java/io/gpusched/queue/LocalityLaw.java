package io.gpusched.queue;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of a group that run or have a place are as close together as the group demands, and so are those of the groups in it. */
record LocalityLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        for (int job : statement.jobs()) {
            JobFacts facts = before.input().job(job);
            boolean onlyLeaves = statement.of(Statement.Kind.EVICT, job).size()
                    == statement.ofJobs().getOrDefault(job, Map.of()).values().stream()
                            .mapToInt(List::size)
                            .sum();
            if (!onlyLeaves && !isKept(facts, statement.after(), job)) {
                return new PendingReason.Forbidden(PendingReason.Rule.LOCALITY, "job \"" + facts.name() + "\"");
            }
        }
        return null;
    }

    private static boolean isKept(JobFacts facts, Session after, int job) {
        JobStatus status = after.status(job);
        List<Placement> placements = new ArrayList<>(status.running());
        placements.addAll(status.nominated());
        Map<List<String>, Object> domains = new HashMap<>();
        for (Placement placement : placements) {
            List<GroupMembership> memberships = facts.member(placement.pod())
                    .group()
                    .map(GroupMembership::all)
                    .orElse(List.of());
            for (GroupMembership membership : memberships) {
                if (membership.locality().isBinding()) {
                    Object domain = domain(membership.locality(), placement, after);
                    Object others = domains.putIfAbsent(membership.path(), domain);
                    if (others != null && !others.equals(domain)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** The domain of a node: of the topology level, or, where no node has such a level, of the label. */
    private static Object domain(Locality locality, Placement placement, Session session) {
        NodeState state = session.now().node(placement.node()).orElse(null);
        if (locality.scope() == Locality.Scope.NODE || state == null) {
            return placement.node();
        }
        Node node = state.node();
        Topology domain = node.topology().upTo(locality.level());
        if (!domain.equals(Topology.NONE)) {
            return domain;
        }
        String label = node.labels().get(locality.level());
        return label == null ? placement.node() : label;
    }
}
