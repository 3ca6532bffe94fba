package io.gpusched.cookbook;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;

/** Shares a cluster among queues, cycle after cycle. */
public final class RunQueues {
    private RunQueues() {}

    /** Prints what is decided in four cycles: the research borrows all GPUs, and gives back what the production deserves. */
    public static void main(String... args) {
        SchedulingCycle cycle = SchedulingCycle.create();
        QueueState state = twoSweeps();
        for (int time = 0; time < 4; time++) {
            Plan plan = cycle.plan(state, time);
            plan.steps().forEach(step -> System.out.println(step.getClass().getSimpleName() + " " + step.pod()));
            plan.pending()
                    .forEach(job -> System.out.println(
                            "  " + job.job() + " waits: " + job.reason().words()));
            state = plan.after().withEnded(time == 1 ? List.of() : ending(plan.after()));
            if (time == 0) {
                state = state.withJob(job("serving", "production"));
            }
        }
    }

    /** A cluster of which research asks for all. */
    static QueueState twoSweeps() {
        return QueueState.of(cluster(), queues(), List.of(job("sweep-0", "research"), job("sweep-1", "research")));
    }

    static List<PodId> ending(QueueState state) {
        return state.jobs().stream()
                .flatMap(job -> job.terminating().stream().map(Placement::pod))
                .toList();
    }

    private static Cluster cluster() {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 81_920);
        return Cluster.of(List.of(
                Node.builder("n1").capacity(96_000, 786_432).gpus(8, a100).build()));
    }

    private static QueueTree queues() {
        return QueueTree.of(List.of(
                JobQueue.builder("production")
                        .quota(QueueResource.GPU, Quota.ofGpus(4))
                        .build(),
                JobQueue.builder("research")
                        .quota(QueueResource.GPU, Quota.ofGpus(4))
                        .build()));
    }

    static Job job(String name, String queue) {
        Pod pod = Pod.of(name, Resources.of(8_000, 65_536), GpuRequest.exclusive(4));
        return Job.pending(
                JobSpec.builder(PodGroup.of(name, List.of(pod)), queue).build());
    }
}
