package io.gpusched.kubernetes.decide;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Says node by node why a job has no room now, where the reason that its plan gives does not. Thread-safe. */
final class Diagnoses {
    private static final int MOST_POLICIES = 8;

    private final Map<PlacementPolicy, GpuScheduler> schedulers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PlacementPolicy, GpuScheduler> eldest) {
            return size() > MOST_POLICIES;
        }
    };

    /** Returns why a pod has no room, or its group as long as that has not started; empty if there would be room by itself. */
    synchronized String of(Cluster cluster, JobInput input, PodId id, boolean hasStarted, PlacementPolicy fallback) {
        PodGroup group = input.job().group();
        GpuScheduler scheduler =
                schedulers.computeIfAbsent(input.job().spec().policy().orElse(fallback), GpuScheduler::of);
        if (input.unit() instanceof Unit.Group
                && !hasStarted
                && input.job().running().isEmpty()) {
            GroupDecision decision = scheduler.schedule(cluster, group);
            return decision instanceof Unschedulable no ? no.diagnosis().toString() : "";
        }
        Optional<Pod> pod =
                group.pods().stream().filter(one -> one.id().equals(id)).findFirst();
        if (pod.isEmpty()) {
            return "";
        }
        Pod member = input.unit() instanceof Unit.Group
                ? pod.get().withGroup(Optional.ofNullable(group.memberships().get(id)))
                : pod.get();
        Decision decision = scheduler.schedule(cluster, member);
        return decision instanceof Unschedulable no ? no.diagnosis().toString() : "";
    }
}
