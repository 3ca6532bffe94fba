package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.policy.BestFit;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
    private final Workload workload = GeneratedWorkload.of(1, 0.03, 1);
    private final List<NamedPolicy> policies = List.of(
            new NamedPolicy("best-fit", (w, arrivals, mix) -> SchedulerPlacer.of(BestFit.of())),
            new NamedPolicy("fgd", (w, arrivals, mix) -> PaperPolicies.placer("fgd-paper", w, arrivals, mix)),
            new NamedPolicy("random", (w, arrivals, mix) -> PaperPolicies.placer("random-paper", w, arrivals, mix)));

    @TempDir
    private Path folder;

    private List<RunResult> run(int threads) {
        List<ArrivalSequence> arrivals = LongStream.rangeClosed(42, 44)
                .mapToObj(seed -> ArrivalSequence.shuffled(workload, seed, 1.3))
                .toList();
        return new Experiment(workload, arrivals, policies).run(threads, RunListener.NONE);
    }

    @Test
    void results_doNotDependOnTheNumberOfThreads() {
        List<RunResult> alone = run(1);
        List<RunResult> together = run(4);
        assertThat(together).extracting(RunResult::policy).isEqualTo(policies(alone));
        assertThat(together)
                .extracting(RunResult::curve)
                .isEqualTo(alone.stream().map(RunResult::curve).toList());
        assertThat(together)
                .extracting(RunResult::end)
                .isEqualTo(alone.stream().map(RunResult::end).toList());
    }

    private static List<String> policies(List<RunResult> results) {
        return results.stream().map(RunResult::policy).toList();
    }

    @Test
    void summaries_groupTheRunsOfAPolicy() {
        List<PolicySummary> summaries = PolicySummary.of(run(2));
        assertThat(summaries).extracting(PolicySummary::policy).containsExactly("best-fit", "fgd", "random");
        PolicySummary first = summaries.get(0);
        double mean = first.runs().stream()
                .mapToDouble(run -> run.at(100).allocatedPercent())
                .average()
                .orElseThrow();
        assertThat(first.allocatedPercent(100).mean()).isCloseTo(mean, org.assertj.core.api.Assertions.within(1e-9));
        assertThat(first.decisionsPerSecond()).isPositive();
    }

    @Test
    void csv_hasARowForEachWholePercentOfEachRun() throws IOException {
        List<RunResult> results = run(2);
        Path file = folder.resolve("curves.csv");
        CurveCsv.write(file, results);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0))
                .isEqualTo("workload,policy,seed,arrived_percent,allocated_percent,frag_percent,placed,rejected");
        assertThat(lines)
                .hasSize(
                        1 + results.stream().mapToInt(run -> run.curve().size()).sum());
        assertThat(lines.get(1)).matches("generated,best-fit,42,0,\\d+\\.\\d\\d,\\d+\\.\\d\\d,\\d+,\\d+");
    }

    @Test
    void allocation_neverExceedsWhatArrivedNorTheCluster() {
        for (RunResult run : run(2)) {
            assertThat(run.curve()).allSatisfy(point -> {
                assertThat(point.allocatedPercent()).isLessThanOrEqualTo(Math.min(100, point.arrivedPercent() + 0.51));
                assertThat(point.fragPercent()).isBetween(0.0, 100.0);
            });
        }
    }
}
