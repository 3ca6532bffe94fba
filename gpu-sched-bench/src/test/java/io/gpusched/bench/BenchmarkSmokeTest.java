package io.gpusched.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.report.Results;
import io.gpusched.bench.report.Tables;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark once, small and in this JVM: whether it works, not how fast it is. */
class BenchmarkSmokeTest {
    @Test
    void everyBenchmark_runsOnASmallCluster_andIsInTheSuite() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io\\.gpusched\\.bench\\..*")
                        .param("nodes", "128")
                        .param("clusters", "2")
                        .param("members", "8")
                        .param("fill", "0.9")
                        .param("shape", "GANG4_SMALL", "REFUSE_NO_QUOTA")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        List<String> names =
                results.stream().map(run -> run.getParams().getBenchmark()).toList();
        assertThat(names).allMatch(name -> Suite.FULL.stream().anyMatch(suite -> name.contains(suite.benchmark())));
        assertThat(Suite.FULL)
                .allMatch(suite -> names.stream().anyMatch(name -> name.contains("." + suite.benchmark())));
        assertThat(Suite.QUICK)
                .allMatch(suite -> names.stream().anyMatch(name -> name.contains("." + suite.benchmark())));
        assertThat(new Tables(new Results(results)).toString()).contains("| work | mark |");
    }
}
