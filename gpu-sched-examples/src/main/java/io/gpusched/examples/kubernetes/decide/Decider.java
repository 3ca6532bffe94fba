package io.gpusched.examples.kubernetes.decide;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts requests to the library. For one thread, because of what schedulers remember. */
final class Decider {
    /** What a scheduler of groups remembers: a policy, and the snapshots that it follows. */
    private record Followed(PlacementPolicy policy, String view) {}

    private static final int MOST_FOLLOWED = 8;

    private final Map<String, DialectScheduler> byDialect = new HashMap<>();
    private final GpuScheduler anyPlace = GpuScheduler.of(FirstFit.of(), 0);
    private final Map<Followed, GpuScheduler> forGroups = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Followed, GpuScheduler> eldest) {
            return size() > MOST_FOLLOWED;
        }
    };

    Decision decide(Cluster cluster, Request.Ready request) {
        Dialect dialect = request.named().dialect();
        return byDialect
                .computeIfAbsent(dialect.name(), name -> DialectScheduler.of(dialect))
                .schedule(cluster, request.manifest());
    }

    /**
     * By the policy of one of the members.
     *
     * @param view the name of the cluster's snapshots, which one scheduler follows
     */
    GroupDecision decide(Cluster cluster, String view, PodGroup group, Request.Ready member) {
        PlacementPolicy policy = member.named().dialect().policy(member.manifest());
        return forGroups
                .computeIfAbsent(new Followed(policy, view), any -> GpuScheduler.of(policy))
                .schedule(cluster, group);
    }

    static Pod pod(Request.Ready request, Cluster cluster) {
        return request.named().dialect().pod(request.manifest(), cluster);
    }

    /** Whether a pod would fit on a node as it is, whatever runs elsewhere. */
    boolean fits(NodeState node, Request.Ready request, Cluster cluster) {
        try {
            return anyPlace.place(node, pod(request, cluster)).isPresent();
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
