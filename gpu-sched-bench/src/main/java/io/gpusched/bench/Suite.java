package io.gpusched.bench;

import io.gpusched.bench.report.CpuTimeProfiler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The benchmarks to run, and with which parameters: each entry is one run of JMH.
 *
 * @param warmupSeconds how long a quick run warms up
 * @param forks in how many JVMs a quick run measures, one after the other
 */
record Suite(String benchmark, List<String> params, int warmupSeconds, int forks) {
    /** A heap of fixed size, touched before the start, or allocation reads up to forty times too slow at first. */
    private static final String[] JVM_ARGS = {
        "-Xms9g", "-Xmx9g", "-Xmn6g", "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC", "-XX:+UseTransparentHugePages"
    };

    /** Everything, with the parameters that the classes name. */
    static final List<Suite> FULL = List.of(
            of("PlacementBenchmark.placeAndRelease"),
            of("PlacementBenchmark.decide", "nodes=100000", "fill=0.9"),
            of("PeerBenchmark", "nodes=1000", "clusters=1,16"),
            of("PeerBenchmark", "nodes=5000,10000", "clusters=16"),
            of("PeerBenchmark", "nodes=100000", "clusters=1"),
            of("FenzoBenchmark.placeAndRelease"),
            of("FragmentationGradientBenchmark.placeAndRelease"),
            of("GangBenchmark.schedule"),
            of("RefusalBenchmark.refuse"),
            of("DiagnosisBenchmark.diagnose"),
            of("LatencyBenchmark.decide"),
            of("SnapshotBenchmark"),
            of("NodeChangeBenchmark"),
            of("ShapesBenchmark.placeAndRelease"),
            of("CliffBenchmark.placeAndRelease"),
            of("TopologyBenchmark.schedule"),
            of("CycleBenchmark"),
            of("LinksBenchmark"));

    /** What the marks need and little more. */
    static final List<Suite> QUICK = List.of(
            of("PlacementBenchmark.placeAndRelease", "nodes=1000", "fill=0.9").warmingUp(4),
            of("PlacementBenchmark.placeAndRelease", "mix=exclusive1,percent30,mixedTrace", "nodes=100000")
                    .warmingUp(3),
            of("PlacementBenchmark.placeAndRelease", "mix=wholeNode", "nodes=100000")
                    .warmingUp(4),
            // of three JVMs each, the ratio of one and one lay between 0.32 and 0.43
            of("PlacementBenchmark.placeAndRelease", "mix=exclusive1,mig", "nodes=10000", "fill=0.9")
                    .warmingUp(3)
                    .inJvms(3),
            of("PlacementBenchmark.placeAndRelease", "mix=mig", "nodes=100000", "fill=0.9"),
            of("PeerBenchmark.gpuSched", "mix=exclusive1", "nodes=1000", "clusters=1,16")
                    .warmingUp(4),
            of("PeerBenchmark.arrayLoop", "mix=exclusive1", "nodes=1000", "clusters=1,16"),
            of("PeerBenchmark.objectLoop", "mix=exclusive1", "nodes=1000", "clusters=16"),
            of("FenzoBenchmark.placeAndRelease").warmingUp(4),
            of("PeerBenchmark.gpuSched", "mix=exclusive1", "nodes=5000,10000", "clusters=16")
                    .warmingUp(2),
            of("PeerBenchmark.arrayLoop", "mix=exclusive1", "nodes=10000", "clusters=16"),
            of("PeerBenchmark.gpuSched", "mix=exclusive1", "nodes=100000", "clusters=1")
                    .warmingUp(2),
            of("PeerBenchmark.arrayLoop", "mix=exclusive1", "nodes=100000", "clusters=1"),
            of("FragmentationGradientBenchmark.placeAndRelease", "nodes=1213").warmingUp(4),
            of("FragmentationGradientBenchmark.placeAndRelease", "nodes=100000"),
            of("GangBenchmark.schedule", "members=512", "nodes=100000"),
            of("RefusalBenchmark.refuse", "nodes=100000", "request=share,cpu"),
            of("DiagnosisBenchmark.diagnose", "nodes=100000", "request=exclusive8"),
            of("DiagnosisBenchmark.diagnose", "nodes=10000", "request=terms"),
            of("LatencyBenchmark.decide", "nodes=100000", "mix=mixedTrace", "policy=binPack"),
            of("SnapshotBenchmark.build", "nodes=100000"),
            of("NodeChangeBenchmark", "nodes=100000"),
            of("ShapesBenchmark.placeAndRelease").warmingUp(3),
            of("CliffBenchmark.placeAndRelease", "nodes=100000").warmingUp(4),
            of("TopologyBenchmark.schedule", "nodes=100000").warmingUp(8),
            of("CycleBenchmark").warmingUp(4),
            of("LinksBenchmark"));

    private static Suite of(String benchmark, String... params) {
        return new Suite(benchmark, List.of(params), 1, 1);
    }

    /** To bring many pods into steady state warms the compiler up; with few it takes too short a time. */
    private Suite warmingUp(int seconds) {
        return new Suite(benchmark, params, seconds, forks);
    }

    /** The mean of several JVMs moves less than what one of them finds. */
    private Suite inJvms(int count) {
        return new Suite(benchmark, params, warmupSeconds, count);
    }

    /** Returns the options of the run; {@code quick} runs of one second, three of them after the warm-up. */
    Options options(boolean quick) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + (benchmark.contains(".") ? "$" : "\\."))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class)
                .jvmArgs(JVM_ARGS)
                .shouldFailOnError(true);
        for (String param : params) {
            int equals = param.indexOf('=');
            options.param(
                    param.substring(0, equals), param.substring(equals + 1).split(",", -1));
        }
        if (quick) {
            options.forks(forks)
                    .warmupIterations(warmupSeconds)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(3)
                    .measurementTime(new TimeValue(1, TimeUnit.SECONDS));
        }
        return options.build();
    }
}
