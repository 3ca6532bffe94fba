package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.model.Cluster;
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

/** What does a decision cost as pods of more and more shapes arrive, under policies that score states of nodes? */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 3, time = 2)
public class ShapesBenchmark {
    /** Which policy decides. */
    @Param({"binPack", "random", "lookAhead"})
    public String policy;

    /** How many shapes of pods arrive. */
    @Param({"35", "200"})
    public int shapes;

    /** How many nodes. */
    @Param({"100000"})
    public int nodes;

    private Churn churn;

    /** Fills most of the cluster and shows the scheduler every shape. */
    @Setup(Level.Trial)
    public void fill() {
        churn = Churn.of(Mix.ofShapes(shapes), Policies.scheduler(policy), Clusters.uniform(nodes), 0.9)
                .steps(20_000);
        System.gc();
    }

    /** A decision, the next snapshot, a release. */
    @Benchmark
    public Cluster placeAndRelease() {
        return churn.step();
    }
}
