package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * What does it cost to decide where a pod goes, to take the next snapshot, and to release a random running pod, in steady
 * state, as clusters grow and fill up?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PlacementBenchmark {
    /** What arrives. */
    @Param({"exclusive1", "percent30", "wholeNode", "mixedTrace", "mig"})
    public String mix;

    /** How many nodes. */
    @Param({"1000", "10000", "100000"})
    public int nodes;

    /** How full the cluster stays. */
    @Param({"0.5", "0.9", "0.99"})
    public double fill;

    private Churn churn;

    /** How often there was no room. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Outcome {
        /** Decisions that found no room, a second. */
        public long refused;
    }

    /** Fills the cluster and lets it churn until it is in steady state. */
    @Setup(Level.Trial)
    public void fill() {
        List<Node> machines = mix.equals("mig") ? Clusters.partitioned(nodes) : Clusters.uniform(nodes);
        churn = Churn.of(Mix.named(mix), GpuScheduler.of(BinPack.of()), machines, fill)
                .settled();
        // or the first collection on the way would copy all of the start, not only what is new
        System.gc();
    }

    /** A decision, the next snapshot, a release. */
    @Benchmark
    public Cluster placeAndRelease(Outcome outcome) {
        long before = churn.refused();
        Cluster next = churn.step();
        outcome.refused += churn.refused() - before;
        return next;
    }

    /** A decision alone, on a snapshot that stays. */
    @Benchmark
    public Decision decide() {
        return churn.scheduler().schedule(churn.cluster(), churn.arrival());
    }
}
