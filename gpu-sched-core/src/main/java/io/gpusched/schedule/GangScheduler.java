package io.gpusched.schedule;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;

/** Places the members of a group, all or nothing. */
final class GangScheduler {
    private final GpuScheduler scheduler;

    GangScheduler(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    GroupDecision schedule(Cluster cluster, PodGroup group) {
        List<Placement> placements = new ArrayList<>();
        List<PodId> waiting = new ArrayList<>();
        Cluster now = cluster;
        for (Pod pod : group.pods()) {
            Placement placement = scheduler.find(now, new PodDemand(pod), 0, now.size());
            if (placement == null) {
                waiting.add(pod.id());
            } else {
                placements.add(placement);
                now = now.with(placement);
            }
        }
        String subject = "pod group \"" + group.name() + "\"";
        return placements.size() >= group.minMember()
                ? new GroupPlaced(placements, waiting)
                : new Unschedulable(
                        subject,
                        Certainty.LIMIT,
                        () -> Diagnoser.diagnose(
                                cluster, new PodDemand(group.pods().get(0)), subject, Certainty.LIMIT));
    }
}
