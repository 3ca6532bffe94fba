package io.gpusched.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.local.GpuMachine;
import io.gpusched.local.Lease;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
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
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Node NODE = Node.builder("n")
            .capacity(64_000, 65_536)
            .gpus(2, GpuModel.of("nvidia", "A100", 40_960))
            .build();
    private static final Cluster CLUSTER = Cluster.of(List.of(NODE));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static final QueueTree QUEUES =
            QueueTree.of(List.of(JobQueue.builder("team").build()));

    private static Job job(String name, int gpus) {
        return Job.pending(JobSpec.builder(PodGroup.of(name, List.of(pod(name + "-0", gpus))), "team")
                .build());
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), GpuRequest.exclusive(gpus));
    }

    @Test
    void decisions_areCountedByOutcomeAndCertainty() {
        GpuScheduler scheduler =
                GpuScheduler.builder().listener(new DecisionMetrics(registry)).build();
        scheduler.schedule(CLUSTER, pod("a", 1));
        scheduler.schedule(CLUSTER, pod("b", 2));
        scheduler.schedule(CLUSTER, pod("c", 3));
        assertThat(registry.get("gpusched.decisions")
                        .tags("outcome", "placed", "certainty", "proven")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("gpusched.decisions")
                        .tags("outcome", "refused", "certainty", "proven")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("gpusched.decision.steps").summary().count()).isEqualTo(3);
    }

    @Test
    void plans_areTimed_andTheirStepsAndPendingJobsCounted() {
        CycleMetrics metrics = new CycleMetrics(registry);
        SchedulingCycle cycle = SchedulingCycle.of(CycleSettings.standard(), GpuScheduler.create(), metrics);
        QueueState state = QueueState.of(CLUSTER, QUEUES, List.of(job("starts", 1), job("waits", 2)));
        Plan plan = metrics.time(() -> cycle.plan(state, 0));
        assertThat(plan.bindings()).hasSize(1);
        assertThat(registry.get("gpusched.plan.steps")
                        .tag("step", "bind")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("gpusched.plan").timer().count()).isEqualTo(1);
        assertThat(registry.get("gpusched.jobs.pending").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(1));
        metrics.accept(cycle.plan(QueueState.of(CLUSTER, QUEUES, List.of()), 1));
        assertThat(registry.find("gpusched.jobs.pending").gauges()).isEmpty();
    }

    @Test
    void leasesOfAMachine_areShown() throws Exception {
        GpuMachine machine = GpuMachine.of(NODE);
        new LeaseMetrics(machine).bindTo(registry);
        try (Lease lease = machine.lease(GpuRequest.percent(50))) {
            assertThat(registry.get("gpusched.leases.held").gauge().value()).isEqualTo(1);
        }
        assertThat(registry.get("gpusched.leases.held").gauge().value()).isZero();
        assertThat(registry.get("gpusched.leases.granted").functionCounter().count())
                .isEqualTo(1);
    }
}
