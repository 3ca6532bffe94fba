package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionTest {
    @Test
    void preempt_takesTheFewestPodsOfTheLowestPriority() {
        Plan plan = new World(2, 8)
                .queue("q", 16)
                .running("gang", "q", 4, 0, "n0", "n1")
                .running("single", "q", 4, 0, "n0")
                .running(
                        JobSpec.builder(World.group("keep", 1, 4), "q")
                                .priority(100)
                                .eviction(Eviction.NEVER),
                        "n1")
                .pending("high", "q", 1, 4, 100)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("single-0");
        assertThat(World.nominated(plan)).containsExactly("high-0");
        assertThat(plan.evictionsFor("high")).hasSize(1);
    }

    @Test
    void preempt_combinesWhatIsFreeWithWhatVictimsLeave() {
        Plan plan = new World(1, 8)
                .queue("q", 8)
                .running("a", "q", 3, 0, "n0")
                .running("b", "q", 3, 0, "n0")
                .pending("high", "q", 1, 5, 1)
                .plan();
        assertThat(World.evicted(plan)).hasSize(1);
    }

    @Test
    void afterAJobHasEnded_thoseSubmittedWithItAreStillKnownAsVictims() {
        QueueState first = new World(1, 3)
                .queue("q", 3)
                .running("a", "q", 1, 0, "n0")
                .running("b", "q", 1, 0, "n0")
                .running("c", "q", 1, 0, "n0")
                .pending("equal", "q", 1, 2, 0)
                .pending("high", "q", 1, 3, 1)
                .state();
        List<Job> jobs = first.jobs().stream()
                .map(job -> job.withSpec(job.spec().toBuilder().submitted(0).build()))
                .toList();
        SchedulingCycle cycle = SchedulingCycle.create();
        cycle.plan(first.withJobs(jobs.subList(0, 4)), 0);

        QueueState next = QueueState.of(
                first.cluster().without(jobs.get(0).running().get(0)), first.queues(), jobs.subList(1, 5));
        assertThat(World.evicted(cycle.plan(next, 1))).containsExactly("b-0", "c-0");
    }

    @Test
    void preempt_ofEqualPriority_isRefused() {
        Plan plan = new World(1, 2)
                .queue("q", 2)
                .running("a", "q", 2, 5, "n0")
                .pending("b", "q", 1, 2, 5)
                .plan();
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reason("b").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void aNominationIsHeld_untilItsVictimsHaveEnded() {
        QueueState state = new World(1, 4)
                .queue("q", 4)
                .running("low", "q", 4, 0, "n0")
                .pending("high", "q", 1, 4, 10)
                .pending("small", "q", 1, 1, 5)
                .state();
        SchedulingCycle cycle = SchedulingCycle.create();
        Plan first = cycle.plan(state, 1);
        assertThat(World.evicted(first)).containsExactly("low-0");
        assertThat(cycle.plan(first.after(), 2).isEmpty()).isTrue();
        Plan next = cycle.plan(World.ended(first.after()), 3);
        assertThat(World.bound(next)).containsExactly("high-0");
        assertThat(next.evictions()).isEmpty();
    }

    @Test
    void reclaim_givesAQueueWhatItDeserves() {
        Plan plan = new World(1, 4)
                .queue("q", 2)
                .queue("r", 2)
                .running("a", "q", 1, 0, "n0")
                .running("b", "q", 1, 0, "n0")
                .running("c", "q", 1, 0, "n0")
                .running("d", "q", 1, 0, "n0")
                .pending("x", "r", 1, 1, 0)
                .pending("y", "r", 1, 1, 0)
                .pending("z", "r", 1, 1, 0)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("c-0", "d-0");
        assertThat(World.nominated(plan)).containsExactly("x-0", "y-0");
        assertThat(plan.reason("z")).containsInstanceOf(PendingReason.OverFairShare.class);
    }

    @Test
    void reclaim_onePodTooFew_isRefusedByArithmetic() {
        World world = new World(2, 8).queue("q", 9).queue("r", 8);
        for (int i = 0; i < 16; i++) {
            world.running("j" + i, "q", 1, 0, "n" + i % 2);
        }
        Plan plan = world.pending("x", "r", 1, 8, 0).plan();
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reason("x")).containsInstanceOf(PendingReason.TooLittle.class);
        assertThat(plan.reason("x").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void reclaim_takesExtrasBeforeAMinimum() {
        Plan plan = new World(1, 11)
                .queue("qa", 1)
                .queue("qb", 10)
                .running(
                        JobSpec.builder(World.group("victim", 11, 1).withMinMember(1), "qa"),
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0",
                        "n0")
                .pending("x", "qb", 1, 1, 0)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("victim-10");
    }

    @Test
    void aGangLeavesWhole() {
        Plan plan = new World(2, 2)
                .queue("q", 0)
                .queue("r", 4)
                .running("gang", "q", 2, 0, "n0", "n1")
                .pending("x", "r", 1, 2, 0)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("gang-0", "gang-1");
    }

    @Test
    void semiPreemptibleJobsKeepTheirMinimum() {
        Plan plan = new World(1, 4)
                .queue("q", 4)
                .running(
                        JobSpec.builder(World.group("semi", 4, 1).withMinMember(2), "q")
                                .eviction(Eviction.EXTRAS),
                        "n0",
                        "n0",
                        "n0",
                        "n0")
                .pending("two", "q", 1, 2, 10)
                .pending("more", "q", 1, 1, 9)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("semi-2", "semi-3");
        assertThat(World.nominated(plan)).containsExactly("two-0");
    }

    @Test
    void consolidate_movesWhatFindsAnotherPlace() {
        Plan plan = new World(3, 8)
                .queue("q", 24)
                .running("a", "q", 4, 0, "n0")
                .running("b", "q", 4, 0, "n1")
                .running(JobSpec.builder(World.group("c", 1, 8), "q").eviction(Eviction.NEVER), "n2")
                .pending("x", "q", 1, 8, 0)
                .plan();
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.evictions()).isEmpty();
        assertThat(World.nominated(plan)).containsExactly("x-0");
        PlanStep.Move move = plan.moves().get(0);
        assertThat(move.to().node()).isNotEqualTo(move.from().node());
        SchedulingCycle cycle = SchedulingCycle.create();
        assertThat(cycle.plan(plan.after(), 1_001).isEmpty()).isTrue();
        Plan next = cycle.plan(World.ended(plan.after()), 1_002);
        assertThat(World.bound(next)).hasSize(2);
    }

    @Test
    void consolidate_looksAtOtherNodes_whereTheFirstPlaceLeavesNobodyAnother() {
        Plan plan = new World(2, 4)
                .queue("q", 8)
                .running("three", "q", 3, 0, "n0")
                .running("one", "q", 1, 0, "n1")
                .running("two", "q", 2, 0, "n1")
                .pending("x", "q", 1, 2, 0)
                .plan();
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.moves().get(0).job()).isEqualTo("one");
        assertThat(plan.moves().get(0).to().node()).isEqualTo("n0");
        assertThat(plan.evictions()).isEmpty();
        assertThat(World.nominated(plan)).containsExactly("x-0");
    }

    @Test
    void consolidate_findsTheFewWhoCanMove_amongManyWhoCannot() {
        World world = new World(62, 8).queue("q", 500);
        for (int node = 0; node < 60; node++) {
            world.running("full-" + node, "q", 8, 0, "n" + node);
        }
        Plan plan = world.running("one", "q", 1, 0, "n60")
                .running("two", "q", 2, 0, "n60")
                .running("three", "q", 3, 0, "n61")
                .pending("x", "q", 1, 8, 0)
                .plan();
        assertThat(plan.evictions()).isEmpty();
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.moves().get(0).job()).isEqualTo("three");
        assertThat(plan.moves().get(0).to().node()).isEqualTo("n60");
        assertThat(plan.nominations()
                        .get(plan.nominations().size() - 1)
                        .placement()
                        .node())
                .isEqualTo("n61");
    }

    @Test
    void whoHasNotRunForLongEnough_stays() {
        Plan plan = new World(1, 2)
                .queue(JobQueue.builder("q")
                        .quota(QueueResource.GPU, Quota.ofDeserved(2_000))
                        .minRuntime(5_000)
                        .build())
                .running("a", "q", 2, 0, "n0")
                .pending("b", "q", 1, 2, 5)
                .plan();
        assertThat(plan.isEmpty()).isTrue();
    }

    @Test
    void nobodyLeavesForAJob_beforeItsDelayIsOver() {
        QueueState state = new World(1, 2)
                .queue("q", 2)
                .running("a", "q", 2, 0, "n0")
                .pending(
                        JobSpec.builder(World.group("b", 1, 2), "q").priority(5).preemptionDelay(100))
                .state();
        SchedulingCycle cycle = SchedulingCycle.create();
        assertThat(cycle.plan(state, 50).reason("b")).contains(new PendingReason.Delayed(101, Certainty.PROVEN));
        assertThat(World.evicted(cycle.plan(state, 200))).containsExactly("a-0");
    }

    @Test
    void aStaleGangLeavesWhenItsGraceIsOver() {
        QueueState state = new World(1, 2)
                .queue("q", 2)
                .running(JobSpec.builder(World.group("gang", 3, 1), "q"), "n0", "n0")
                .state();
        SchedulingCycle cycle = SchedulingCycle.of(CycleSettings.standard().withStaleGrace(60), GpuScheduler.create());
        Plan first = cycle.plan(state, 100);
        assertThat(first.isEmpty()).isTrue();
        assertThat(cycle.plan(first.after(), 159).isEmpty()).isTrue();
        assertThat(World.evicted(cycle.plan(first.after(), 160))).containsExactly("gang-0", "gang-1");
    }

    @Test
    void atTheLimitOfItsQueue_aJobTakesThePlaceOfALowerOne() {
        Plan plan = new World(1, 8)
                .queue(JobQueue.builder("q")
                        .quota(QueueResource.GPU, Quota.ofDeserved(4_000).withLimit(4_000))
                        .build())
                .running("a", "q", 2, 0, "n0")
                .running("b", "q", 2, 0, "n0")
                .pending("high", "q", 1, 2, 5)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("b-0");
    }

    /** One of four GPUs is in use. The job of four does not fit; the one of three does, but would have to leave for it. */
    @Test
    void whoeverWouldHaveToLeaveAtOnce_doesNotStart() {
        Plan plan = new World(1, 4)
                .queue("q", 4)
                .running("running", "q", 1, 0, "n0")
                .pending("small", "q", 1, 3, 0)
                .pending("large", "q", 1, 4, 1)
                .plan();
        assertThat(World.bound(plan)).isEmpty();
        assertThat(World.evicted(plan)).containsExactly("running-0");
        assertThat(World.nominated(plan)).containsExactly("large-0");
        assertThat(World.job(plan.after(), "small").terminating()).isEmpty();
    }

    /**
     * Started on the second node, the low job would bring its queue over what it deserves, so that another one left the first node by reclaim;
     * but the high one, which lacks CPUs as long as the idle pod runs there, then takes its place. Without the low one, all have room.
     */
    @Test
    void noJobLeavesByReclaim_becauseOfAStartThatTheSamePlanTakesBack() {
        GpuModel other = GpuModel.of("nvidia", "H100", 81_920);
        Plan plan = new World(
                        Node.builder("n0").capacity(1_000, 1_000).gpus(1, other).build(),
                        Node.builder("n1")
                                .capacity(1_000, 1_000)
                                .gpus(2, World.A100)
                                .build())
                .queue("q", 2)
                .queue("r", 1)
                .running(JobSpec.builder(World.group("a", 1, 1), "q").priority(1), "n0")
                .running(JobSpec.builder(one("idle", 700, GpuRequest.none()), "q"), "n1")
                .pending("low", "q", 1, 2, 0)
                .pending(JobSpec.builder(one("high", 700, GpuRequest.exclusive(1)), "q")
                        .priority(2))
                .pending(JobSpec.builder(
                        one("x", 100, GpuRequest.exclusive(1).withSelector(GpuSelector.models("H100"))), "r"))
                .plan();
        assertThat(plan.evictions()).isEmpty();
        assertThat(World.nominated(plan)).contains("x-0", "high-0");
    }

    private static PodGroup one(String name, int milliCpu, GpuRequest request) {
        return PodGroup.of(name, List.of(Pod.of(name + "-0", Resources.of(milliCpu, 100), request)));
    }
}
