package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.PodGroup;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromiseTest {
    private static final CycleSettings SETTINGS = CycleSettings.standard()
            .withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL))
            .withReservations(1);

    private static Plan plan(QueueState state, long now) {
        return SchedulingCycle.of(SETTINGS, GpuScheduler.create()).plan(state, now);
    }

    private static JobSpec.Builder job(String name, int gpus, long duration) {
        return JobSpec.builder(World.group(name, 1, gpus), "q").maxDuration(duration);
    }

    private static long start(Plan plan, String job) {
        return ((PendingReason.Reserved) plan.reason(job).orElseThrow()).start();
    }

    /** Four GPUs of eight run until 100. */
    private static World half() {
        return new World(1, 8).queue("q", 8).running(job("running", 4, 100), "n0");
    }

    @Test
    void aPromisedStart_staysWhenAJobOfHigherPriorityComes() {
        Plan told = plan(half().pending(job("promised", 8, 50).promised(true)).state(), 10);
        assertThat(start(told, "promised")).isEqualTo(100);
        Job urgent =
                Job.pending(job("urgent", 8, 1_000).priority(9).submitted(20).build());
        Plan next = plan(told.after().withJob(urgent), 20);
        assertThat(start(next, "promised")).isEqualTo(100);
        assertThat(start(next, "urgent")).isEqualTo(150);
    }

    @Test
    void aStartThatIsNotPromised_movesWhenAJobOfHigherPriorityComes() {
        Plan told = plan(half().pending(job("other", 8, 50)).state(), 10);
        assertThat(start(told, "other")).isEqualTo(100);
        Job urgent =
                Job.pending(job("urgent", 8, 1_000).priority(9).submitted(20).build());
        Plan next = plan(told.after().withJob(urgent), 20);
        assertThat(start(next, "urgent")).isEqualTo(100);
        assertThat(next.reason("other"))
                .hasValueSatisfying(reason ->
                        assertThat(((PendingReason.Expected) reason).start()).isEqualTo(1_100));
    }

    @Test
    void aPromisedStart_movesEarlierWhenSomebodyEndsBefore() {
        Plan told = plan(half().pending(job("promised", 8, 50).promised(true)).state(), 10);
        QueueState early = World.without(told.after(), "running");
        assertThat(World.bound(plan(early, 30))).containsExactly("promised-0");
    }

    @Test
    void aPromisedStart_thatSomebodyDelaysWhoRunsTooLong_isTheEarliestLeft_andThosePromisedAfterItFollow() {
        World world = half().pending(job("first", 8, 50).promised(true))
                .pending(job("second", 8, 50).promised(true));
        Plan told = plan(world.state(), 10);
        assertThat(start(told, "first")).isEqualTo(100);
        assertThat(start(told, "second")).isEqualTo(150);
        Job urgent = Job.pending(job("urgent", 8, 20).priority(9).submitted(20).build());
        Plan late = plan(told.after().withJob(urgent), 102);
        assertThat(start(late, "first")).isEqualTo(104);
        assertThat(start(late, "second")).isEqualTo(154);
        assertThat(start(late, "urgent")).isEqualTo(204);
        QueueState ended = World.without(late.after(), "running");
        assertThat(World.bound(plan(ended, 104))).containsExactly("first-0");
    }

    @Test
    void whoeverIsNotReservedFor_isToldWhenItIsExpectedAndWhyItWaits() {
        Plan plan = plan(
                half().pending(job("first", 8, 50))
                        .pending(job("second", 8, 50))
                        .pending(job("third", 5, 50))
                        .state(),
                10);
        assertThat(start(plan, "first")).isEqualTo(100);
        PendingReason.Expected second =
                (PendingReason.Expected) plan.reason("second").orElseThrow();
        assertThat(second.start()).isEqualTo(150);
        assertThat(second.now()).isInstanceOf(PendingReason.NoRoom.class);
        PendingReason.Expected third =
                (PendingReason.Expected) plan.reason("third").orElseThrow();
        assertThat(third.start()).isEqualTo(200);
        assertThat(plan.after().jobs())
                .filteredOn(job -> job.reservation().isPresent())
                .extracting(Job::name)
                .containsExactly("first");
    }

    @Test
    void ofWhoeverIsNotReservedFor_asManyAreToldAStartAsTheSettingsSay() {
        QueueState state = half().pending(job("first", 8, 50))
                .pending(job("second", 8, 50))
                .pending(job("third", 5, 50))
                .state();
        Plan plan = SchedulingCycle.of(SETTINGS.withForecasts(1), GpuScheduler.create())
                .plan(state, 10);
        assertThat(start(plan, "first")).isEqualTo(100);
        assertThat(plan.reason("second").orElseThrow()).isInstanceOf(PendingReason.Expected.class);
        assertThat(plan.reason("third").orElseThrow()).isInstanceOf(PendingReason.NoRoom.class);
    }

    @Test
    void whatIsPromised_countsAsUsedByItsQueue_soThatItsLimitIsNotUsedUpMeanwhile() {
        JobQueue limited = JobQueue.builder("q")
                .quota(QueueResource.GPU, new Quota(0, 8_000, 1))
                .build();
        World world = new World(2, 8)
                .queue(limited)
                .queue("other", 8)
                .running(JobSpec.builder(World.group("x", 1, 5), "other").maxDuration(100), "n0")
                .running(JobSpec.builder(World.group("y", 1, 5), "other").maxDuration(100), "n1")
                .pending(job("promised", 6, 50).promised(true));
        Plan told = plan(world.state(), 10);
        assertThat(start(told, "promised")).isEqualTo(100);
        Plan next = plan(
                told.after()
                        .withJob(
                                Job.pending(job("three", 3, 1_000).submitted(20).build())),
                20);
        assertThat(next.reason("three"))
                .contains(
                        new PendingReason.Expected(150, Optional.of("promised"), new PendingReason.Behind("promised")));
        Plan later = plan(
                next.after()
                        .withJob(Job.pending(job("two", 2, 1_000).submitted(30).build())),
                30);
        assertThat(World.bound(later)).containsExactly("two-0");
        QueueState ended = World.without(World.without(later.after(), "x"), "y");
        assertThat(World.bound(plan(ended, 100))).contains("promised-0");
    }

    @Test
    void beforeSubmission_thePlanWithOneJobMoreTellsItsStart_andChangesNoPromise() {
        QueueState before = plan(
                        half().pending(job("promised", 8, 50).promised(true)).state(), 10)
                .after();
        Plan whatIf =
                plan(before.withJob(Job.pending(job("new", 8, 30).submitted(11).build())), 11);
        assertThat(start(whatIf, "promised")).isEqualTo(100);
        assertThat(((PendingReason.Expected) whatIf.reason("new").orElseThrow()).start())
                .isEqualTo(150);
        PendingReason.Reserved promised =
                (PendingReason.Reserved) whatIf.reason("promised").orElseThrow();
        assertThat(promised.certainStart()).isEqualTo(StartCertainty.BOUND);
        assertThat(promised.waitsFor()).contains("running");
    }

    @Test
    void whatIsReservedForMembersThatLeft_isVoid_andOthersAreToldAnew() {
        QueueState told = plan(
                        half().pending(job("promised", 8, 50).promised(true)).state(), 10)
                .after();
        QueueState replaced = told.withJobReplaced(World.job(told, "promised")
                .spec()
                .withGroup(PodGroup.of("promised", World.group("another", 1, 8).pods())));
        Plan next = plan(replaced, 20);
        assertThat(start(next, "promised")).isEqualTo(100);
        assertThat(World.bound(plan(World.without(next.after(), "running"), 30)))
                .containsExactly("another-0");
        assertThat(World.bound(plan(World.without(replaced, "running"), 100))).containsExactly("another-0");
    }

    @Test
    void aJobThatStartedAsPromised_andFails_isNotDueAgain_soThatPromisesAfterItAreKept() {
        World world = half().pending(job("first", 8, 50).promised(true))
                .pending(job("second", 8, 50).promised(true));
        QueueState told = plan(world.state(), 10).after();
        QueueState started = plan(World.without(told, "running"), 100).after();
        assertThat(World.job(started, "first").running()).hasSize(1);
        QueueState failed = started.withBindFailed(
                World.job(started, "first").running().get(0).pod());
        Plan again = plan(failed, 110);
        assertThat(World.bound(again)).containsExactly("second-0");
    }
}
