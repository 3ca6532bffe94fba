package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final int HOUR = 3_600;

    private static List<Node> nodes(int count, int gpus) {
        return IntStream.range(0, count)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(100_000, 100_000)
                        .gpus(gpus, GpuModel.of("nvidia", "T4", 0))
                        .build())
                .toList();
    }

    private static TraceJob job(String name, int gpus, long arrival, long run) {
        return TraceJob.of(
                TracePod.of(name, Resources.of(1_000, 1), gpus, 1_000, "").withLifetime(new Lifetime(arrival, run)));
    }

    private static TraceJob gang(String name, int members, int gpus, long arrival, long run) {
        List<TracePod> pods = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            pods.add(TracePod.of(name + "-" + i, Resources.of(1_000, 1), gpus, 1_000, ""));
        }
        return new TraceJob(name, pods, new Lifetime(arrival, run));
    }

    private static ReplayResult play(QueueOrder order, Disruptions disruptions, int nodes, int gpus, TraceJob... jobs) {
        return Replay.play(
                new Scenario("test", nodes(nodes, gpus), List.of(jobs)),
                "bin-pack",
                BinPack.of(),
                order,
                disruptions,
                1);
    }

    @Test
    void job_waitsUntilRoomIsFreed() {
        ReplayResult result =
                play(QueueOrder.FIFO_SKIP, Disruptions.NONE, 1, 1, job("a", 1, 0, HOUR), job("b", 1, 60, HOUR));
        assertThat(result.waitSeconds()).containsExactly(0L, HOUR - 60L);
        assertThat(result.neverStarted()).isZero();
        assertThat(result.meanWaitSeconds()).isEqualTo((HOUR - 60) / 2.0);
    }

    @Test
    void fifo_passesOverWhatDoesNotFit() {
        ReplayResult result = play(
                QueueOrder.FIFO_SKIP,
                Disruptions.NONE,
                1,
                2,
                job("a", 1, 0, HOUR),
                job("wide", 2, 30, HOUR),
                job("small", 1, 60, 60));
        assertThat(result.waitSeconds()).containsExactly(0L, 0L, HOUR - 30L);
    }

    @Test
    void shortestFirst_startsTheShortestOfThoseThatWait() {
        TraceJob[] jobs = {job("a", 1, 0, HOUR), job("long", 1, 30, 2 * HOUR), job("short", 1, 60, HOUR)};
        assertThat(play(QueueOrder.FIFO_SKIP, Disruptions.NONE, 1, 1, jobs).waitSeconds())
                .containsExactly(0L, HOUR - 30L, 3 * HOUR - 60L);
        assertThat(play(QueueOrder.SHORTEST_FIRST, Disruptions.NONE, 1, 1, jobs).waitSeconds())
                .containsExactly(0L, HOUR - 60L, 2 * HOUR - 30L);
    }

    @Test
    void gang_startsAllAtOnceOrWaits() {
        ReplayResult result = play(
                QueueOrder.FIFO_SKIP,
                Disruptions.NONE,
                2,
                8,
                job("a", 1, 0, HOUR),
                gang("gang", 2, 8, 30, HOUR),
                job("b", 8, HOUR + 30, HOUR));
        assertThat(result.waitSeconds()).containsExactly(0L, HOUR - 30L, HOUR - 30L);
    }

    @Test
    void jobThatCanNeverFit_isCounted() {
        ReplayResult result =
                play(QueueOrder.FIFO_SKIP, Disruptions.NONE, 1, 1, job("a", 2, 0, HOUR), job("b", 1, 9, 9));
        assertThat(result.neverStarted()).isEqualTo(1);
        assertThat(result.waitSeconds()).hasSize(1);
    }

    @Test
    void failure_sendsWhatRanThereBackToTheQueue() {
        TraceJob[] jobs = new TraceJob[200];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = job("j" + i, 1, i * HOUR / 2L, 3 * HOUR);
        }
        ReplayResult result = play(QueueOrder.FIFO_SKIP, new Disruptions(12, 0, 1), 4, 4, jobs);
        assertThat(result.restarts()).isPositive();
        assertThat(result.waitSeconds()).hasSize(jobs.length);
        assertThat(result.neverStarted()).isZero();
    }

    @Test
    void drain_losesNothing() {
        TraceJob[] jobs = new TraceJob[100];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = job("j" + i, 1, i * HOUR / 2L, 3 * HOUR);
        }
        ReplayResult result = play(QueueOrder.FIFO_SKIP, new Disruptions(0, 48, 10), 4, 4, jobs);
        assertThat(result.restarts()).isZero();
        assertThat(result.waitSeconds()).hasSize(jobs.length).anyMatch(wait -> wait >= 0);
    }

    @Test
    void series_addsUpToTheGpuTimeThatWasUsed() {
        ReplayResult result =
                play(QueueOrder.FIFO_SKIP, Disruptions.NONE, 1, 4, job("a", 2, 0, HOUR), job("b", 4, 2 * HOUR, HOUR));
        double sliceHours = result.series().get(0).hours();
        double gpuHours = result.series().stream()
                .mapToDouble(sample -> sample.usedPercent() / 100 * 4 * sliceHours)
                .sum();
        assertThat(gpuHours).isCloseTo(6, within(1e-9));
    }

    @Test
    void replay_dependsOnItsArgumentsAlone() {
        Scenario scenario = Scenario.of(GeneratedWorkload.of(1, 0.01, 3));
        Disruptions disruptions = new Disruptions(5, 5, 2);
        ReplayResult first = Replay.play(scenario, "p", BinPack.of(), QueueOrder.FIFO_SKIP, disruptions, 7);
        ReplayResult second = Replay.play(scenario, "p", BinPack.of(), QueueOrder.FIFO_SKIP, disruptions, 7);
        ReplayResult other = Replay.play(scenario, "p", BinPack.of(), QueueOrder.FIFO_SKIP, disruptions, 8);
        assertThat(second.series()).isEqualTo(first.series());
        assertThat(second.waitSeconds()).isEqualTo(first.waitSeconds());
        assertThat(other.series()).isNotEqualTo(first.series());
    }

    @Test
    void withLoad_spreadsArrivalsOut() {
        Scenario scenario = new Scenario("test", nodes(1, 1), List.of(job("a", 1, 0, 500), job("b", 1, 500, 500)));
        assertThat(scenario.load()).isEqualTo(2);
        assertThat(scenario.withLoad(0.5).load()).isEqualTo(0.5);
        assertThat(scenario.withLoad(0.5).spanSeconds()).isEqualTo(2_000);
    }
}
