package io.gpusched.cookbook;

import io.gpusched.decision.Plan;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Job;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueResource;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.Quota;
import java.util.List;

/** Shares a cluster among queues, cycle after cycle. */
public final class RunQueues {
    private RunQueues() {}

    /** Prints what is decided in four cycles: the research borrows all GPUs, and gives back what the production deserves. */
    public static void main(String... args) {
        SchedulingCycle cycle = SchedulingCycle.create();
        List<Job> jobs = List.of(job("sweep-0", "research"), job("sweep-1", "research"));
        CycleState state = CycleState.of(cluster(), queues(), jobs);
        for (int time = 0; time < 4; time++) {
            Plan plan = cycle.plan(state, time);
            plan.steps().forEach(step -> System.out.println(step.getClass().getSimpleName() + " " + step.pod()));
            plan.pending().forEach(job -> System.out.println("  " + job.job() + " waits: " + job.reason()));
            state = plan.after().withEnded(time == 1 ? List.of() : ending(plan.after()));
            if (time == 0) {
                state = state.withJob(job("serving", "production"));
            }
        }
    }

    private static List<PodId> ending(CycleState state) {
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
                Queue.builder("production")
                        .quota(QueueResource.GPU, Quota.ofDeserved(4_000))
                        .build(),
                Queue.builder("research")
                        .quota(QueueResource.GPU, Quota.ofDeserved(4_000))
                        .build()));
    }

    private static Job job(String name, String queue) {
        Pod pod = Pod.of(name, Resources.of(8_000, 65_536), GpuRequest.exclusive(4));
        return Job.builder(PodGroup.of(name, List.of(pod)), queue).build();
    }
}
