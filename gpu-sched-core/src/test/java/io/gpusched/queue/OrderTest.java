package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who comes first by the orders that settings choose, and who leaves by each rule of eviction. */
class OrderTest {
    private static final long NOW = 1_000;

    private static Plan plan(QueueState state, CycleSettings settings) {
        return SchedulingCycle.of(settings, GpuScheduler.create()).plan(state, NOW);
    }

    private static CycleSettings by(CycleSettings.JobOrder order) {
        return CycleSettings.standard().withJobOrder(order);
    }

    @Test
    void dominantShare_servesTheQueueWhoseGreatestShareOfAnythingIsSmallest() {
        Pod large = Pod.of("cpu-0", Resources.of(800_000, 100), GpuRequest.none());
        QueueState state = new World(1, 4)
                .queue("cpus", 2)
                .queue("gpus", 2)
                .running(JobSpec.builder(PodGroup.of("cpu", List.of(large)), "cpus"), "n0")
                .running("gpu", "gpus", 2, 0, "n0")
                .pending("a", "cpus", 1, 1, 0)
                .pending("b", "gpus", 1, 1, 0)
                .state();
        CycleSettings settings = CycleSettings.standard().withQueueOrder(CycleSettings.QueueOrder.DOMINANT_SHARE);
        assertThat(World.bound(plan(state, settings)))
                .as("3 of 4 GPUs are less than 800 of 1,000 cores")
                .containsExactly("b-0", "a-0");
    }

    @Test
    void shortest_servesTheJobThatRunsForTheShortestTime_asExpectedOrElseAtMost_andLastThoseOfUnknownLength() {
        QueueState state = new World(1, 1)
                .queue("q", 1)
                .pending(JobSpec.builder(World.group("unknown", 1, 1), "q"))
                .pending(JobSpec.builder(World.group("limited", 1, 1), "q").maxDuration(20))
                .pending(JobSpec.builder(World.group("expected", 1, 1), "q")
                        .expectedDuration(10)
                        .maxDuration(100))
                .state();
        CycleSettings settings = by(CycleSettings.JobOrder.SHORTEST);
        assertThat(World.bound(plan(state, settings))).containsExactly("expected-0");
        QueueState others = state.withJobs(state.jobs().subList(0, 2));
        assertThat(World.bound(plan(others, settings))).containsExactly("limited-0");
    }

    private static Plan evicting(Eviction eviction) {
        return new World(1, 3)
                .queue("q", 3)
                .running(
                        JobSpec.builder(World.group("low", 3, 1).withMinMember(2), "q")
                                .eviction(eviction),
                        "n0",
                        "n0",
                        "n0")
                .pending("high", "q", 1, 2, 10)
                .plan();
    }

    @Test
    void single_losesNoMoreThanIsNeeded_evenBelowItsMinimum() {
        assertThat(World.evicted(evicting(Eviction.SINGLE))).hasSize(2);
    }

    @Test
    void single_losesOneMemberOfASlice_andKeepsTheOther() {
        Plan plan = new World(1, 4)
                .queue("q", 4)
                .running(
                        JobSpec.builder(
                                        World.group("low", 4, 1)
                                                .withMinMember(2)
                                                .withSlices(2, "rack"),
                                        "q")
                                .eviction(Eviction.SINGLE),
                        "n0",
                        "n0",
                        "n0",
                        "n0")
                .pending("high", "q", 1, 1, 10)
                .plan();
        assertThat(World.evicted(plan)).hasSize(1);
    }

    @Test
    void all_leavesAsAWhole() {
        assertThat(World.evicted(evicting(Eviction.ALL))).containsExactly("low-0", "low-1", "low-2");
    }

    @Test
    void extras_keepsItsMinimum_andNobodyLeavesInVain() {
        assertThat(evicting(Eviction.EXTRAS).isEmpty()).isTrue();
    }
}
