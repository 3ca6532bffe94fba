package io.gpusched.cookbook;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;

/** Asks when a job would start, promises its start, and keeps the promise when a more urgent one comes. */
public final class WhenWillItStart {
    private WhenWillItStart() {}

    /** Prints the starts that are told, in minutes. */
    public static void main(String... args) {
        SchedulingCycle cycle = SchedulingCycle.of(CycleSettings.standard().withReservations(1), GpuScheduler.create());
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder("team").build()));
        QueueState busy = QueueState.of(
                cluster(),
                queues,
                List.of(Job.pending(
                        job("running", 4, 100).eviction(Eviction.NEVER).build())));
        QueueState state = cycle.plan(busy, 0).after();

        Job training = Job.pending(job("training", 8, 50).promised(true).build());
        Plan told = cycle.plan(state.withJob(training), 10);
        told.pending().forEach(job -> System.out.println(job.job() + ": " + job.reason()));

        Job urgent = Job.pending(job("urgent", 8, 30).priority(9).build());
        Plan next = cycle.plan(told.after().withJob(urgent), 20);
        next.pending().forEach(job -> System.out.println(job.job() + ": " + job.reason()));
    }

    private static Cluster cluster() {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 81_920);
        return Cluster.of(List.of(
                Node.builder("n1").capacity(96_000, 786_432).gpus(8, a100).build()));
    }

    private static JobSpec.Builder job(String name, int gpus, long timeLimit) {
        Pod pod = Pod.of(name, Resources.of(8_000, 65_536), GpuRequest.exclusive(gpus));
        return JobSpec.builder(PodGroup.of(name, List.of(pod)), "team").maxDuration(timeLimit);
    }
}
