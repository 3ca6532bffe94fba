package io.gpusched.kubernetes.decide;

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
import java.util.function.UnaryOperator;

/** Puts requests to the library. For one thread, because of what schedulers remember. */
final class Decider {
    /** What a scheduler of groups remembers: a policy, and the snapshots that it follows. */
    private record Followed(PlacementPolicy policy, String view) {}

    private static final int MOST_FOLLOWED = 8;

    private final UnaryOperator<Dialect> informed;
    private final Map<String, DialectScheduler> byDialect = new HashMap<>();
    private final GpuScheduler anyPlace =
            GpuScheduler.builder().policy(FirstFit.of()).memory(0).build();
    private final Map<Followed, GpuScheduler> forGroups = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Followed, GpuScheduler> eldest) {
            return size() > MOST_FOLLOWED;
        }
    };

    /**
     * Creates it.
     *
     * @param informed tells a dialect what it has to know of all nodes together; the same object until that changes
     */
    Decider(UnaryOperator<Dialect> informed) {
        this.informed = informed;
    }

    Decision decide(Cluster cluster, Request.Ready request) {
        return scheduler(informed.apply(request.named().dialect())).schedule(cluster, request.manifest());
    }

    @SuppressWarnings("ReferenceEquality") // what a dialect knows did not change if it is the same object
    private DialectScheduler scheduler(Dialect dialect) {
        DialectScheduler scheduler = byDialect.get(dialect.name());
        if (scheduler == null || scheduler.dialect() != dialect) {
            scheduler = DialectScheduler.of(dialect);
            byDialect.put(dialect.name(), scheduler);
        }
        return scheduler;
    }

    /**
     * By the policy of one of the members.
     *
     * @param view the name of the cluster's snapshots, which one scheduler follows
     */
    GroupDecision decide(Cluster cluster, String view, PodGroup group, Request.Ready member) {
        PlacementPolicy policy = informed.apply(member.named().dialect()).policy(member.manifest());
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
