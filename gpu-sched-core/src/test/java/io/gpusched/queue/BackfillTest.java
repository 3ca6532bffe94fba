package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BackfillTest {
    private static final long NOW = 10;

    private static Plan plan(Backfill rule, World world) {
        return plan(rule, world.state(), NOW);
    }

    private static Plan plan(Backfill rule, QueueState state, long now) {
        CycleSettings settings = CycleSettings.standard()
                .withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL))
                .withBackfill(rule);
        return SchedulingCycle.of(settings, GpuScheduler.create()).plan(state, now);
    }

    private static JobSpec.Builder job(String name, int gpus, long duration) {
        return JobSpec.builder(World.group(name, 1, gpus), "q").maxDuration(duration);
    }

    /** Eight GPUs: six run until 100; then a job of eight, a short one of two, a long one of two. */
    private static World world() {
        return new World(1, 8)
                .queue("q", 8)
                .running(job("running", 6, 100), "n0")
                .pending(job("big", 8, 50))
                .pending(job("long", 2, 91))
                .pending(job("short", 2, 90));
    }

    private static PendingReason.Reserved reserved(Plan plan, String job) {
        return (PendingReason.Reserved) plan.reason(job).orElseThrow();
    }

    @Test
    void anyone_startsWhoeverFinds() {
        Plan plan = plan(Backfill.ANYONE, world());
        assertThat(World.bound(plan)).containsExactly("long-0");
        assertThat(World.job(plan.after(), "big").reservation()).isEmpty();
    }

    @Test
    void nobody_startsBeforeTheFirstThatWaits() {
        Plan plan = plan(Backfill.NOBODY, world());
        assertThat(plan.bindings()).isEmpty();
        assertThat(reserved(plan, "big").start()).isEqualTo(100);
        assertThat(plan.reason("short")).contains(new PendingReason.Behind("big"));
    }

    @Test
    void easy_startsWhoeverEndsBeforeTheFirstThatWaitsCouldStart() {
        Plan plan = plan(Backfill.EASY, world());
        assertThat(plan.bindings())
                .extracting(step -> step.job() + " " + step.pass())
                .containsExactly("short BACKFILL");
        PendingReason.Reserved big = reserved(plan, "big");
        assertThat(big.start()).isEqualTo(100);
        assertThat(big.certainStart()).isEqualTo(StartCertainty.BOUND);
        assertThat(big.waitsFor()).contains("running");
        assertThat(plan.steps())
                .filteredOn(PlanStep.Reserve.class::isInstance)
                .singleElement()
                .matches(step -> ((PlanStep.Reserve) step).start() == 100);
    }

    @Test
    void whoeverFindsRoomButWouldDelayTheFirst_waitsBehindIt() {
        World world = new World(1, 8)
                .queue("q", 8)
                .running(job("running", 6, 100), "n0")
                .pending(job("big", 8, 50))
                .pending(job("long", 2, 91));
        assertThat(plan(Backfill.EASY, world).reason("long")).contains(new PendingReason.Behind("big"));
    }

    @Test
    void conservative_reservesForAll() {
        Plan plan = plan(Backfill.CONSERVATIVE, world());
        assertThat(World.bound(plan)).containsExactly("short-0");
        assertThat(reserved(plan, "big").start()).isEqualTo(100);
        assertThat(reserved(plan, "long").start()).isEqualTo(150);
    }

    @Test
    void aPlanWithReservations_plannedAgain_isEmpty() {
        for (Backfill rule : Backfill.values()) {
            Plan plan = plan(rule, world());
            assertThat(plan(rule, plan.after(), NOW).steps()).as(rule + "").isEmpty();
            assertThat(plan(rule, plan.after(), NOW + 1).steps()).as(rule + "").isEmpty();
        }
    }

    @Test
    void aReservedJobStartsAtItsTime_whoeverCameSince() {
        Plan plan = plan(Backfill.CONSERVATIVE, world());
        QueueState then = plan.after()
                .withoutJob("running")
                .withoutJob("short")
                .withJob(Job.pending(job("newcomer", 1, 5).submitted(50).build()));
        Plan next = plan(Backfill.CONSERVATIVE, then, 100);
        assertThat(World.bound(next)).containsExactly("big-0");
        assertThat(reserved(next, "long").start()).isEqualTo(150);
        assertThat(reserved(next, "newcomer").start()).isEqualTo(150);
    }

    @Test
    void aStartThatRestsOnAnExpectedRunTime_isAnEstimate_andWhoeverHasExceededItIsTakenToRunOnAsLong() {
        World world = new World(1, 8)
                .queue("q", 8)
                .running(JobSpec.builder(World.group("running", 1, 6), "q").expectedDuration(4), "n0")
                .pending(job("big", 8, 50));
        PendingReason.Reserved big = reserved(plan(Backfill.EASY, world), "big");
        assertThat(big.start()).isEqualTo(NOW + (NOW - 4));
        assertThat(big.certainStart()).isEqualTo(StartCertainty.ESTIMATE);
    }

    @Test
    void whoeverRunsForAnUnknownTime_holdsItsPlaceForever() {
        World world = new World(1, 8)
                .queue("q", 8)
                .running(JobSpec.builder(World.group("running", 1, 6), "q"), "n0")
                .pending(job("big", 8, 50))
                .pending(JobSpec.builder(World.group("forever", 1, 1), "q"))
                .pending(job("small", 2, 50));
        Plan plan = plan(Backfill.EASY, world);
        assertThat(plan.reason("big").orElseThrow()).isInstanceOf(PendingReason.NoRoom.class);
        assertThat(World.bound(plan)).containsExactly("forever-0");
    }

    @Test
    void sharesOfOneGpu_areReservedPerDevice() {
        World world = new World(1, 1)
                .queue("q", 8)
                .running(
                        JobSpec.builder(World.group("running", 1, GpuRequest.percent(60)), "q")
                                .maxDuration(100),
                        "n0")
                .pending(JobSpec.builder(World.group("big", 1, GpuRequest.percent(70)), "q")
                        .maxDuration(50))
                .pending(JobSpec.builder(World.group("long", 1, GpuRequest.percent(40)), "q")
                        .maxDuration(500))
                .pending(JobSpec.builder(World.group("beside", 1, GpuRequest.percent(30)), "q")
                        .maxDuration(500));
        Plan plan = plan(Backfill.EASY, world);
        assertThat(reserved(plan, "big").start()).isEqualTo(100);
        assertThat(World.bound(plan)).containsExactly("beside-0");
    }

    @Test
    void noPassStartsAJobPastReservations() {
        for (Backfill rule : Set.of(Backfill.NOBODY, Backfill.EASY, Backfill.CONSERVATIVE)) {
            SchedulingCycle cycle =
                    SchedulingCycle.of(CycleSettings.standard().withBackfill(rule), GpuScheduler.create());
            Plan plan = cycle.plan(world().state(), NOW);
            assertThat(World.bound(plan)).as(rule + "").doesNotContain("long-0");
            assertThat(plan.evictions()).isEmpty();
            assertThat(reserved(plan, "big").start()).isEqualTo(100);
        }
    }
}
