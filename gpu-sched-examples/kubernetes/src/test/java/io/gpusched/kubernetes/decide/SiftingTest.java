package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.queue.CycleSettings;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SiftingTest {
    private final Sifting sifting = new Sifting();
    private int plans;

    private static Job job(String name) {
        return Job.pending(JobSpec.builder(
                        PodGroup.of(name, List.of(Pod.of(name, Resources.NONE, GpuRequest.exclusive(1)))), "q")
                .build());
    }

    private static List<Job> jobs(int count) {
        return IntStream.range(0, count).mapToObj(i -> job("j" + i)).toList();
    }

    private Plan plan(List<Job> jobs, List<String> bad) {
        plans++;
        jobs.stream().filter(job -> bad.contains(job.name())).findFirst().ifPresent(job -> {
            throw new ArithmeticException(job.name());
        });
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder("q").build()));
        return SchedulingCycle.of(CycleSettings.standard(), GpuScheduler.of(BinPack.of()))
                .plan(QueueState.of(Cluster.of(List.of()), queues, jobs), 0);
    }

    @Test
    void jobsThatMakeAPlanFail_areLeftOut_andAllOthersArePlanned() {
        List<Job> jobs = jobs(100);
        Plan plan = sifting.plan(jobs, some -> plan(some, List.of("j7", "j50", "j99")));
        assertThat(plan.pending()).hasSize(97);
        assertThat(sifting.failures())
                .containsOnlyKeys("j7", "j50", "j99")
                .containsEntry("j50", "the scheduler failed: java.lang.ArithmeticException: j50");
    }

    @Test
    void aJobThatMadeAPlanFail_isLeftOutAtOnce_untilItChanges() {
        List<Job> jobs = jobs(10);
        sifting.plan(jobs, some -> plan(some, List.of("j3")));
        plans = 0;
        sifting.plan(jobs, some -> plan(some, List.of("j3")));
        assertThat(plans).isEqualTo(1);
        List<Job> changed = jobs.stream()
                .map(job -> job.withSpec(job.spec().toBuilder().priority(1).build()))
                .toList();
        sifting.plan(changed, some -> plan(some, List.of()));
        assertThat(sifting.failures()).isEmpty();
    }

    @Test
    void whatFailsWithoutAnyJob_isNotTheirs() {
        assertThatThrownBy(() -> sifting.plan(jobs(2), some -> {
                    throw new IllegalStateException("the engine");
                }))
                .hasMessage("the engine");
    }
}
