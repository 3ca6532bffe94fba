package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.queue.CyclePass;
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
import io.gpusched.verify.Law;
import io.gpusched.verify.Violation;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanCheckTest {
    private static final long NOW = 1_000;

    private final Cluster cluster = Cluster.of(List.of(
            Node.builder("n1")
                    .capacity(8_000, 8_000)
                    .gpus(1, GpuModel.of("NVIDIA", "A10", 24_576))
                    .build(),
            Node.builder("n2")
                    .capacity(8_000, 8_000)
                    .gpus(1, GpuModel.of("NVIDIA", "A10", 24_576))
                    .build()));
    private final QueueState state =
            QueueState.of(cluster, QueueTree.of(List.of(JobQueue.builder("q").build())), List.of(job("a"), job("b")));
    private final CycleSettings settings = CycleSettings.standard();
    private final PlanCheck check = new PlanCheck();
    private final Plan right =
            SchedulingCycle.of(settings, GpuScheduler.create()).plan(state, NOW);

    private static Job job(String name) {
        PodGroup group =
                PodGroup.of(name, List.of(Pod.of(name + "-0", Resources.of(1_000, 1_000), GpuRequest.exclusive(1))));
        return new Job(JobSpec.builder(group, "q").build(), JobStatus.PENDING);
    }

    /** The plan with the step of one job put where the other's is. */
    private Plan wrong() {
        Placement first = right.bindings().get(0).placement();
        Job second = job("b");
        Cluster only =
                Cluster.of(List.of(cluster.node(first.node()).orElseThrow().node()));
        Placement there = ((Placed) GpuScheduler.create()
                        .schedule(only, second.group().pods().get(0)))
                .placement();
        List<PlanStep> steps = new ArrayList<>();
        right.steps().stream().filter(step -> step.job().equals("a")).forEach(steps::add);
        steps.add(new PlanStep.Bind("b", there, CyclePass.ALLOCATE));
        return new Plan(steps, right.pending(), right.after());
    }

    @Test
    void aPlanThatKeepsAllLaws_isTakenAsItIs() {
        assertThat(right.bindings()).hasSize(2);
        assertThat(check.stopped(state, settings, NOW, right)).isEmpty();
        assertThat(PlanCheck.without(right, Set.of())).isSameAs(right);
    }

    @Test
    void aJobThatWouldGetAGpuOfAnother_takesNoStep_andSaysWhichLawThatBreaks() {
        Map<String, String> stopped = check.stopped(state, settings, NOW, wrong());

        assertThat(stopped).containsKey("b");
        assertThat(stopped.get("b")).contains(Law.DEVICE.name());
        assertThat(PlanCheck.without(wrong(), stopped.keySet()).bindings())
                .extracting(PlanStep.Bind::job)
                .doesNotContain("b");
    }

    @Test
    void noPodIsEvictedForAJobThatTakesNoStep_andTheOthersGoOn() {
        Placement place = right.bindings().get(0).placement();
        Plan plan = new Plan(
                List.of(
                        new PlanStep.Evict("a", place, Optional.of("b"), CyclePass.PREEMPT),
                        new PlanStep.Bind("c", place, CyclePass.ALLOCATE)),
                List.of(),
                state);
        assertThat(PlanCheck.without(plan, Set.of("b")).steps())
                .extracting(PlanStep::job)
                .containsExactly("c");
    }

    @Test
    void whereItCannotBeToldWhichJobItIs_noStepIsTaken() {
        Violation violation = new Violation(Law.DEVICE, "node \"n1\"", "given out twice", Map.of());
        assertThat(PlanCheck.stopped(List.of(violation), right)).containsOnlyKeys("a", "b");
    }
}
