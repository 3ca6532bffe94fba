package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.decision.Decision;
import io.gpusched.workload.Pod;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does one decision take at worst: its 99th percentile in steady state, without applying it?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class LatencyBenchmark {
    /** What arrives. */
    @Param({"exclusive1", "percent30", "wholeNode", "mixedTrace"})
    public String mix;

    /** Which policy decides. */
    @Param({"binPack", "fragmentationGradient"})
    public String policy;

    /** How many nodes. */
    @Param({"1000", "100000"})
    public int nodes;

    /** How full the cluster stays. */
    @Param({"0.9"})
    public double fill;

    private Churn churn;
    private Pod pod;

    /** Fills the cluster and lets it churn until it is in steady state. */
    @Setup(Level.Trial)
    public void fill() {
        churn = Churn.of(Mix.named(mix), Policies.scheduler(policy), Clusters.uniform(nodes), fill)
                .settled();
    }

    /** Changes the cluster, not timed. */
    @Setup(Level.Invocation)
    public void churn() {
        churn.step();
        pod = churn.arrival();
    }

    /** A decision. */
    @Benchmark
    public Decision decide() {
        return churn.scheduler().schedule(churn.cluster(), pod);
    }
}
