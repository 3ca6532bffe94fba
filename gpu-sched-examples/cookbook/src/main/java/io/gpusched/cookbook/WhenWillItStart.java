package io.gpusched.cookbook;

import io.gpusched.decision.Plan;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.CycleSettings;
import io.gpusched.policy.CycleSettings.Backfill;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Eviction;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Job;
import io.gpusched.workload.JobBuilder;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import java.util.List;

/** Asks when a job would start, promises its start, and keeps the promise when a more urgent one comes. */
public final class WhenWillItStart {
    private WhenWillItStart() {}

    /** Prints the starts that are told, in minutes. */
    public static void main(String... args) {
        SchedulingCycle cycle =
                SchedulingCycle.of(CycleSettings.standard().withBackfill(Backfill.PROMISED), GpuScheduler.create());
        QueueTree queues = QueueTree.of(List.of(Queue.builder("team").build()));
        CycleState busy = CycleState.of(
                cluster(),
                queues,
                List.of(job("running", 4, 100).eviction(Eviction.NEVER).build()));
        CycleState state = cycle.plan(busy, 0).after();

        Job training = job("training", 8, 50).promised(true).build();
        Plan told = cycle.plan(state.withJob(training), 10);
        told.pending().forEach(job -> System.out.println(job.job() + ": " + job.reason()));

        Job urgent = job("urgent", 8, 30).priority(9).build();
        Plan next = cycle.plan(told.after().withJob(urgent), 20);
        next.pending().forEach(job -> System.out.println(job.job() + ": " + job.reason()));
    }

    private static Cluster cluster() {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 81_920);
        return Cluster.of(List.of(
                Node.builder("n1").capacity(96_000, 786_432).gpus(8, a100).build()));
    }

    private static JobBuilder job(String name, int gpus, long timeLimit) {
        Pod pod = Pod.of(name, Resources.of(8_000, 65_536), GpuRequest.exclusive(gpus));
        return Job.builder(PodGroup.of(name, List.of(pod)), "team").maxDuration(timeLimit);
    }
}
