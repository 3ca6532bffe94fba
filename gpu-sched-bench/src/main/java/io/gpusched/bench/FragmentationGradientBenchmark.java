package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.model.Cluster;
import io.gpusched.schedule.GpuScheduler;
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
 * What does a decision cost under a policy that has to look at every state of a node: the fragmentation gradient over the
 * 35 typical shapes of the openb trace, or the look-ahead, which plays such pods onto every state it has not met and keeps
 * prices besides? The shapes also arrive, on nodes of the 15 kinds of the openb cluster (1,213 nodes are that cluster).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 4)
@Measurement(iterations = 5, time = 2)
public class FragmentationGradientBenchmark {
    /** Which policy decides. */
    @Param({"fragmentationGradient", "lookAhead"})
    public String policy;

    /** How many nodes. */
    @Param({"1213", "100000"})
    public int nodes;

    /** How full the cluster stays. */
    @Param({"0.9"})
    public double fill;

    private Churn churn;

    /** Lets as many pods arrive as run: until then the nodes are packed as nobody would pack them, and scores are still new. */
    @Setup(Level.Trial)
    public void fill() {
        GpuScheduler scheduler = Policies.scheduler(policy);
        churn = Churn.of(Mix.named("mixedTrace"), scheduler, Clusters.openb(nodes), fill)
                .settled();
    }

    /** A decision, the next snapshot, a release. */
    @Benchmark
    public Cluster placeAndRelease() {
        return churn.step();
    }
}
