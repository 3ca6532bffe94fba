package io.gpusched.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What was measured, by benchmark and parameters. */
public final class Results {
    private final List<RunResult> runs;

    /** Wraps the results of one or more runs of JMH. */
    public Results(Collection<RunResult> runs) {
        this.runs = new ArrayList<>(runs);
    }

    /**
     * Returns operations in a second of CPU time, as {@link CpuTimeProfiler} counts it, or on the clock where it did not;
     * nothing if the case was not measured. Parameters as {@code name=value}.
     */
    public OptionalDouble perSecond(String benchmark, String... params) {
        RunResult run = find(benchmark, params);
        if (run == null) {
            return OptionalDouble.empty();
        }
        Result<?> cpu = run.getSecondaryResults().get(CpuTimeProfiler.LABEL);
        if (cpu != null && cpu.getScore() > 0) {
            return OptionalDouble.of(1e9 / cpu.getScore());
        }
        double score = run.getPrimaryResult().getScore();
        return OptionalDouble.of(run.getParams().getMode() == Mode.Throughput ? score : 1e9 / nanos(run, score));
    }

    /** Returns how many decisions with the next snapshot and a release {@code PlacementBenchmark} makes a second. */
    OptionalDouble placements(String mix, String fill, String nodes) {
        return perSecond("PlacementBenchmark.placeAndRelease", "mix=" + mix, "fill=" + fill, "nodes=" + nodes);
    }

    /** Returns how many of {@code mix} one of the methods of {@code PeerBenchmark} places a second. */
    OptionalDouble peer(String who, String mix, String nodes, String clusters) {
        return perSecond("PeerBenchmark." + who, "mix=" + mix, "nodes=" + nodes, "clusters=" + clusters);
    }

    /** Returns how many pods Fenzo places a second, each of which asks for one GPU. */
    OptionalDouble fenzo(String nodes) {
        return perSecond("FenzoBenchmark.placeAndRelease", "nodes=" + nodes);
    }

    /** Returns microseconds of CPU time an operation, as {@link #perSecond}; nothing if the case was not measured. */
    public OptionalDouble micros(String benchmark, String... params) {
        OptionalDouble rate = perSecond(benchmark, params);
        return rate.isPresent() ? OptionalDouble.of(1e6 / rate.getAsDouble()) : rate;
    }

    /**
     * Returns the 99th percentile in microseconds on the clock of a benchmark that samples; nothing if it was not
     * measured.
     */
    public OptionalDouble micros99(String benchmark, String... params) {
        RunResult run = find(benchmark, params);
        return run == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        nanos(run, run.getPrimaryResult().getStatistics().getPercentile(99)) / 1e3);
    }

    /** Returns milliseconds on the clock of one operation; nothing if the case was not measured. */
    OptionalDouble clockMillis(String benchmark, String... params) {
        RunResult run = find(benchmark, params);
        return run == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(nanos(run, run.getPrimaryResult().getScore()) / 1e6);
    }

    /** Returns bytes allocated an operation; nothing if the case was not measured. */
    public OptionalDouble bytes(String benchmark, String... params) {
        RunResult run = find(benchmark, params);
        Result<?> found = run == null ? null : run.getSecondaryResults().get("gc.alloc.rate.norm");
        return found == null ? OptionalDouble.empty() : OptionalDouble.of(found.getScore());
    }

    private static double nanos(RunResult run, double score) {
        return score * TimeUnit.NANOSECONDS.convert(1, run.getParams().getTimeUnit());
    }

    private RunResult find(String benchmark, String... params) {
        for (RunResult run : runs) {
            if (run.getParams().getBenchmark().endsWith("." + benchmark) && has(run.getParams(), params)) {
                return run;
            }
        }
        return null;
    }

    private static boolean has(BenchmarkParams run, String... params) {
        for (String param : params) {
            int equals = param.indexOf('=');
            if (!param.substring(equals + 1).equals(run.getParam(param.substring(0, equals)))) {
                return false;
            }
        }
        return true;
    }
}
