package io.gpusched.simulator.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Resources;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CycleSettings.JobOrder;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobDemand;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CycleReplayTest {
    private static final QueueTree ONE =
            QueueTree.of(List.of(JobQueue.builder("all").build()));

    @TempDir
    private Path folder;

    private CycleScenario scenario(int nodes, int gpus, QueueTree queues, String rows) throws IOException {
        Path file = Files.writeString(folder.resolve("jobs.csv"), "job_id,submit_s,gpus,duration_s,vc\n" + rows);
        return CycleScenario.of(
                "small",
                GangTrace.nodes(nodes, gpus),
                queues,
                JobTrace.read(file, JobColumns.NONE).jobs());
    }

    private static CycleResult play(CycleScenario scenario) {
        return CycleReplay.play(scenario, CycleRule.ANYONE, RunTimes.EXACT);
    }

    private static PlayedJob job(CycleResult result, String name) {
        return result.jobs().stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static QueueTree halves() {
        return QueueTree.of(List.of(half("a"), half("b")));
    }

    private static JobQueue half(String name) {
        return JobQueue.builder(name)
                .quota(QueueResource.GPU, Quota.ofDeserved(4_000))
                .build();
    }

    @Test
    void aJobThatFindsNoRoom_startsWhenAnotherEnds() throws IOException {
        CycleResult result = play(scenario(1, 8, ONE, "0,0,8,100,\n1,10,2,50,\n2,20,6,7,\n"));
        assertThat(result.jobs()).extracting(PlayedJob::started).containsExactly(at(0), at(100), at(100));
        assertThat(result.jobs()).extracting(PlayedJob::ended).containsExactly(at(100), at(150), at(107));
        QueueNumbers numbers = result.numbers().get(1);
        assertThat(numbers.queue()).isEqualTo(CycleResult.ALL);
        assertThat(numbers.meanWaitMinutes()).isCloseTo((90 + 80) / 3.0 / 60, within(1e-9));
        assertThat(numbers.meanCompletionMinutes()).isCloseTo((100 + 140 + 87) / 3.0 / 60, within(1e-9));
        assertThat(numbers.usedPercent()).isCloseTo(100, within(1e-9));
    }

    @Test
    void aGang_startsWithAllMembersOrNone() throws IOException {
        CycleResult result = play(scenario(2, 4, ONE, "0,0,2,30,\n1,0,4,60,\n2,1,8,10,\n"));
        assertThat(job(result, "2").started()).isEqualTo(at(60));
        assertThat(job(result, "2").ended()).isEqualTo(at(70));
    }

    @Test
    void anEvictedJob_keepsWhatItHasRun() throws IOException {
        CycleResult result = play(scenario(1, 8, halves(), "0,0,4,300,a\n1,0,4,100,a\n2,40,4,20,b\n"));
        assertThat(job(result, "2").started()).isEqualTo(at(40));
        assertThat(job(result, "0").evictions()).isZero();
        assertThat(job(result, "1").evictions()).isEqualTo(1);
        assertThat(job(result, "1").started()).isEqualTo(at(0));
        assertThat(job(result, "1").ended()).as("60 s are left at 60").isEqualTo(at(120));
    }

    @Test
    void byTiresias_aJobThatHasUsedAGpuHour_leavesForOneThatHasNot_andGoesOnAfterIt() throws IOException {
        CycleResult result = CycleReplay.play(
                scenario(1, 8, ONE, "0,0,8,2000,\n1,100,8,100,\n2,200,8,600,\n"), CycleRule.TIRESIAS, RunTimes.EXACT);
        assertThat(job(result, "1").started())
                .as("8 x 451 s are more than an hour")
                .isEqualTo(at(451));
        assertThat(job(result, "2").started()).isEqualTo(at(551));
        assertThat(job(result, "0").evictions()).isEqualTo(1);
        assertThat(job(result, "2").evictions()).as("job 0 has used more too").isZero();
        assertThat(job(result, "2").ended()).isEqualTo(at(1_151));
        assertThat(job(result, "0").ended()).isEqualTo(at(2_700));
    }

    @Test
    void rules_areReadAsTheyAreWritten() {
        assertThat(CycleRule.parse("tiresias")).isEqualTo(CycleRule.TIRESIAS).hasToString("tiresias");
        assertThat(CycleRule.parse("nobody")).isEqualTo(CycleRule.FIFO).hasToString("nobody");
        assertThat(CycleRule.parse("promised:shortest")).hasToString("promised:shortest");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CycleRule.parse("last"))
                .withMessageContaining("tiresias")
                .withMessageContaining("\"last\"");
        assertThatIllegalArgumentException()
                .as("nobody is evicted by easy")
                .isThrownBy(() -> new CycleRule(Backfill.EASY, JobOrder.SUBMITTED, 60))
                .withMessageContaining("demotedAbove")
                .withMessageContaining("60");
    }

    @Test
    void fairShares_followWhatQueuesAskFor() throws IOException {
        CycleResult result = play(scenario(1, 8, halves(), "0,0,4,200,a\n1,0,4,100,a\n2,100,4,100,b\n3,200,1,1,a\n"));
        List<QueueSample> ofA = result.series().get("a");
        assertThat(ofA.get(10)).isEqualTo(new QueueSample(100, 100, 0));
        assertThat(ofA.get(150)).isEqualTo(new QueueSample(50, 50, 0));
        assertThat(result.series().get("b").get(150)).isEqualTo(new QueueSample(50, 50, 0));
        assertThat(result.numbers().get(0).usedPercent()).isCloseTo(75, within(1e-9));
        assertThat(result.numbers().get(1).usedPercent()).isCloseTo(25, within(1e-9));
    }

    @Test
    void aJobThatCanNeverRun_isNamedWithTheReason() throws IOException {
        CycleResult result = play(scenario(1, 8, ONE, "0,0,9,100,\n1,5,8,50,\n"));
        assertThat(job(result, "0").started()).isEmpty();
        assertThat(job(result, "1").ended()).isEqualTo(at(55));
        assertThat(result.never()).containsOnlyKeys("0");
        assertThat(result.never().get("0")).isNotBlank();
        assertThat(result.numbers().get(1).neverStarted()).isEqualTo(1);
    }

    @Test
    void ownersWithoutAQueue_areGivenToTheQueuesInTurn() throws IOException {
        CycleScenario scenario = scenario(1, 8, halves(), "0,0,1,1,x\n1,0,1,1,b\n2,0,1,1,y\n3,0,1,1,z\n4,0,1,1,x\n");
        assertThat(List.of("0", "1", "2", "3", "4"))
                .extracting(scenario.queueOf()::get)
                .containsExactly("a", "b", "b", "a", "a");
    }

    @Test
    void jobsOfOneName_areRefused() {
        SubmittedJob job =
                new SubmittedJob(TraceJob.of("0", JobDemand.of(1, Resources.of(0, 0)), new Lifetime(0, 1)), "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    List<SubmittedJob> jobs = List.of(job, job);
                    CycleScenario.of("small", GangTrace.nodes(1, 8), ONE, jobs);
                })
                .withMessage("scenario \"small\": two jobs have the name \"0\"");
    }

    @Test
    void theHeadOfHelios_runsToItsEndWithoutOverlap() {
        List<SubmittedJob> jobs = JobTrace.read(SmallTraces.folder("gang").resolve("helios_head.csv"), JobColumns.NONE)
                .jobs();
        CycleResult result = play(CycleScenario.of("helios", GangTrace.nodes(2), halves(), jobs));
        assertThat(result.jobs()).hasSize(30);
        assertThat(result.never()).isEmpty();
        for (PlayedJob one : result.jobs()) {
            long started = one.started().orElseThrow();
            assertThat(started).isGreaterThanOrEqualTo(one.submitted());
            assertThat(one.ended().orElseThrow() - started).isGreaterThanOrEqualTo(one.runs());
            assertThat(one.evictions() > 0 || one.ended().orElseThrow() - started == one.runs())
                    .isTrue();
        }
    }

    private static OptionalLong at(long seconds) {
        return OptionalLong.of(seconds);
    }
}
