package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplaySummaryTest {
    private static final Cluster CLUSTER =
            Cluster.of(List.of(Node.builder("n").capacity(1_000, 1_000).build()));

    private static ReplayResult result(String policy, long seed, double used, double waiting, Long... waits) {
        List<Sample> series = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            series.add(new Sample(i + 1, used, 2, 100, waiting * i));
        }
        return new ReplayResult(policy, seed, List.of(waits), 3, 5, 1_000, 2_000_000, series, 20, CLUSTER);
    }

    @Test
    void summaries_areOnePerPolicyInOrder() {
        List<ReplaySummary> summaries = ReplaySummary.of(
                List.of(result("b", 1, 50, 0, 60L), result("a", 1, 50, 0, 60L), result("b", 2, 70, 0, 180L)));
        assertThat(summaries).extracting(ReplaySummary::policy).containsExactly("b", "a");
        assertThat(summaries.get(0).replays()).hasSize(2);
    }

    @Test
    void numbers_areMeansOverTheSeeds() {
        ReplaySummary summary = ReplaySummary.of(
                        List.of(result("p", 1, 50, 0, 60L, 120L, 600L), result("p", 2, 70, 0, 180L)))
                .get(0);
        assertThat(summary.meanWaitMinutes()).isCloseTo((13 / 3.0 + 3) / 2, within(1e-9));
        assertThat(summary.medianWaitMinutes()).isEqualTo(2.5);
        assertThat(summary.p95WaitMinutes()).isEqualTo(6.5);
        assertThat(summary.p99WaitMinutes()).isEqualTo(6.5);
        assertThat(summary.used().mean()).isEqualTo(60);
        assertThat(summary.used().lowPercent()).isZero();
        assertThat(summary.used().highPercent()).isEqualTo(100);
        assertThat(summary.fragPercent()).isEqualTo(2);
        assertThat(summary.restarts()).isEqualTo(5);
        assertThat(summary.neverStarted()).isEqualTo(3);
        assertThat(summary.decisionsPerSecond()).isEqualTo(500_000);
    }

    @Test
    void note_countsTheReplaysWithoutASteadyState() {
        ReplaySummary summary = ReplaySummary.of(
                        List.of(result("p", 1, 50, 0, 60L), result("p", 2, 50, 40, 60L), result("p", 3, 50, 80, 60L)))
                .get(0);
        assertThat(summary.note())
                .hasValue(
                        "no steady state: p, in 2 of 3 replays: jobs that wait went from 480.0 in the third quarter of the"
                                + " arrivals to 680.0 in the last (seed 2)");
    }

    @Test
    void note_isNotThereInASteadyState() {
        assertThat(ReplaySummary.of(List.of(result("p", 1, 50, 0, 60L))).get(0).note())
                .isEmpty();
    }

    @Test
    void waits_ofNoJobAreZero() {
        ReplaySummary summary = ReplaySummary.of(List.of(result("p", 1, 50, 0))).get(0);
        assertThat(summary.meanWaitMinutes()).isZero();
        assertThat(summary.p99WaitMinutes()).isZero();
    }
}
