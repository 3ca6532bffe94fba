package io.gpusched.simulator.defrag;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;

/** Jobs of a whole node that come one after the other; pods may move for each. */
final class PendingJobs {
    private static final String QUEUE = "all";

    private final CycleSettings settings;

    PendingJobs(CycleSettings settings) {
        this.settings = settings;
    }

    List<MoveRule.Gain> play(Cluster cluster, int most) {
        List<MoveRule.Gain> gains = new ArrayList<>();
        Cluster now = cluster;
        int moves = 0;
        boolean isGained = true;
        while (isGained) {
            Plan plan = plan(now, "held-" + gains.size());
            moves += plan.moves().size();
            isGained = !plan.nominations().isEmpty() && moves <= most;
            if (isGained) {
                gains.add(new MoveRule.Gain(plan.moves().size(), 1));
                now = made(now, plan);
            }
        }
        return gains;
    }

    private Plan plan(Cluster cluster, String name) {
        PodGroup group = PodGroup.of(name, List.of(MoveRule.WHOLE.withId(PodId.of(name))));
        List<Job> jobs = running(cluster);
        jobs.add(
                Job.pending(JobSpec.builder(group, QUEUE).submitted(jobs.size()).build()));
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder(QUEUE).build()));
        return SchedulingCycle.of(settings, GpuScheduler.create())
                .plan(QueueState.of(cluster, queues, jobs), jobs.size());
    }

    /** The cluster once all have moved, and the job has started. */
    private static Cluster made(Cluster cluster, Plan plan) {
        ClusterBatch batch = cluster.batch();
        plan.moves().forEach(move -> batch.release(move.from().pod()));
        plan.moves().forEach(move -> batch.place(move.to()));
        plan.nominations().stream()
                .map(PlanStep.Nominate::placement)
                .filter(place -> place.pod().name().startsWith("held-"))
                .forEach(batch::place);
        return batch.build();
    }

    private static List<Job> running(Cluster cluster) {
        List<Job> jobs = new ArrayList<>();
        for (Placement held : cluster.placements()) {
            if (!held.pod().name().startsWith("held-")) {
                PodGroup group =
                        PodGroup.of(held.pod().name(), List.of(Pod.of(held).orElseThrow()));
                JobSpec spec =
                        JobSpec.builder(group, QUEUE).submitted(jobs.size()).build();
                jobs.add(new Job(spec, JobStatus.running(List.of(held), jobs.size())));
            }
        }
        return jobs;
    }
}
