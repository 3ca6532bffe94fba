package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.NodeTable;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplaySettingsTest {
    private static TraceJob job(String name, int gpus, String model, long arrival, long run) {
        return TraceJob.of(TracePod.of(name, Resources.of(1_000, 1), gpus, gpus == 0 ? 0 : 1_000, model)
                .withLifetime(new Lifetime(arrival, run)));
    }

    private static List<Long> waits(ReplaySettings settings, List<Node> nodes, TraceJob... jobs) {
        return Replay.play(new Scenario("s", nodes, List.of(jobs)), "bin-pack", BinPack.of(), settings, 0)
                .waitSeconds();
    }

    @Test
    void jobs_waitForTheEndOfTheCycle() {
        List<Node> one = List.of(NodeTable.node("n", 1, "T4"));
        TraceJob[] jobs = {job("a", 1, "", 1, 50), job("b", 1, "", 2, 50)};
        assertThat(waits(ReplaySettings.DEFAULT.withCycleSeconds(30), one, jobs))
                .containsExactly(29L, 88L);
        assertThat(waits(ReplaySettings.DEFAULT, one, jobs)).as("on the event").containsExactly(0L, 49L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplaySettings.DEFAULT.withCycleSeconds(0))
                .withMessage("replay: cycleSeconds must be at least 1, got 0");
    }

    @Test
    void jobs_runAsLongAsTheirGpusTake_aGangAsLongAsItsSlowest() {
        ReplaySettings settings =
                ReplaySettings.DEFAULT.withCycleSeconds(1).withSpeeds(new Speeds(Map.of("H100", 2.0, "K80", 0.5)));
        List<Node> nodes = List.of(NodeTable.node("h", 1, "H100"), NodeTable.node("k", 1, "K80"));
        assertThat(waits(settings, nodes, job("a", 1, "H100", 0, 100), job("b", 1, "H100", 0, 100)))
                .containsExactly(0L, 50L);
        assertThat(waits(settings, nodes, job("a", 1, "K80", 0, 100), job("b", 1, "K80", 0, 100)))
                .containsExactly(0L, 200L);
        TraceJob gang = new TraceJob(
                "a",
                List.of(
                        TracePod.of("a-0", Resources.of(1, 1), 1, 1_000, ""),
                        TracePod.of("a-1", Resources.of(1, 1), 1, 1_000, "")),
                new Lifetime(0, 100));
        assertThat(waits(settings, nodes, gang, job("b", 1, "H100", 0, 1))).containsExactly(0L, 200L);
        assertThat(waits(settings, nodes, job("a", 0, "", 0, 100))).containsExactly(0L);
        assertThatIllegalArgumentException().isThrownBy(() -> new Speeds(Map.of("T4", 0.0)));
    }

    @Test
    void arrivals_comeCloserTogether_whateverTheCluster() {
        Scenario scenario = new Scenario(
                "s", List.of(NodeTable.node("n", 1, "T4")), List.of(job("a", 1, "", 0, 10), job("b", 1, "", 100, 10)));
        assertThat(scenario.withArrivals(2).spanSeconds()).isEqualTo(50);
        assertThat(scenario.withArrivals(0.5).spanSeconds()).isEqualTo(200);
        assertThat(scenario.withArrivals(1)).isSameAs(scenario);
    }

    @Test
    void jobsThatCanNeverRun_areToldByKind_withTheReason() {
        List<Node> nodes = List.of(NodeTable.node("n", 2, "T4"));
        List<NeverRun> never = NeverRun.of(
                nodes,
                List.of(
                        job("a", 2, "", 0, 1),
                        job("b", 3, "", 0, 1),
                        job("c", 1, "H100", 0, 1),
                        job("d", 3, "", 5, 1)));
        assertThat(never).extracting(NeverRun::jobs).containsExactly(List.of("b", "d"), List.of("c"));
        assertThat(never.get(0).diagnosis()).contains("can never fit on any of 1 node");
        assertThat(NeverRun.of(nodes, List.of(job("a", 2, "", 0, 1)))).isEmpty();
    }
}
