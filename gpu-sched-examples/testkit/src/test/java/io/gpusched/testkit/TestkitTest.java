package io.gpusched.testkit;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
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
import java.util.List;
import org.junit.jupiter.api.Test;

/** The published jar does for a stranger what it does for core's own tests. */
class TestkitTest {
    private static final Cluster CLUSTER = Cluster.of(List.of(Node.builder("n")
            .capacity(64_000, 65_536)
            .gpus(2, GpuModel.of("nvidia", "A100", 40_960))
            .build()));

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
    void decisionsInRandomWorlds_keepEveryLaw_andAreFoundByTheOracle() {
        for (int seed = 0; seed < 40; seed++) {
            SmallWorld world = new SmallWorld(seed);
            Cluster cluster = world.cluster(3);
            Pod pod = world.pod();
            Decision decision = GpuScheduler.create().schedule(cluster, pod);
            assertThat(decision).keepsEveryLaw(cluster, pod);
            assertThat(Oracle.placements(ClusterModel.of(cluster), pod).isEmpty())
                    .as("seed %d", seed)
                    .isEqualTo(decision instanceof Unschedulable);
            PodGroup group = world.group(3);
            assertThat(GpuScheduler.create().schedule(cluster, group)).keepsEveryLaw(cluster, group);
        }
    }

    @Test
    void aDecisionThatBreaksALaw_failsWithTheLaw() {
        Placement wrong = new Placement(
                pod("a", 2).id(),
                "n",
                Resources.of(1_000, 1_024),
                List.of(new ContainerGrant("main", ContainerKind.ORDINARY, new GpuGrant.Whole(List.of(0)))));
        assertThatThrownBy(() -> assertThat((Decision) new Placed(wrong)).keepsEveryLaw(CLUSTER, pod("a", 2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("which breaks [");
        Decision refusal = Unschedulable.of("pod \"a\"", Certainty.PROVEN, () -> {
            throw new IllegalStateException("not asked for");
        });
        assertThatThrownBy(() -> assertThat(refusal).keepsEveryLaw(CLUSTER, pod("a", 2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("there is room");
    }

    @Test
    void plans_areAskedForTheJobsThatStart_andForEveryLaw() {
        QueueState before = QueueState.of(CLUSTER, QUEUES, List.of(job("starts", 1), job("waits", 2)));
        CycleSettings settings = CycleSettings.standard();
        Plan plan = SchedulingCycle.of(settings, GpuScheduler.create()).plan(before, 0);
        assertThat(plan).starts("starts").evicts().keepsEveryLaw(before, settings, 0);
        assertThatThrownBy(() -> assertThat(plan).starts("waits"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected starting jobs [waits]");
        assertThatThrownBy(() -> assertThat(plan).isEmpty()).isInstanceOf(AssertionError.class);
    }
}
