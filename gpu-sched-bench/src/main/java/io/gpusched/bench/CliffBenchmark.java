package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Cliff;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import java.util.List;
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

/** What do labels, taints and unlike nodes cost, next to equal nodes of which a pod takes any? */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class CliffBenchmark {
    /** How nodes differ and pods choose. */
    @Param
    public Cliff cliff;

    /** Which policy decides. */
    @Param({"binPack", "lookAhead"})
    public String policy;

    /** How many nodes. */
    @Param({"10000", "100000"})
    public int nodes;

    private Churn churn;

    /** Fills half of the cluster and lets it churn. */
    @Setup(Level.Trial)
    public void fill() {
        List<Node> all = cliff.nodes(Clusters.uniform(nodes));
        churn = Churn.of(Mix.named("mixedTrace"), Policies.scheduler(policy), all, 0.5)
                .arriving((pod, random) -> cliff.pod(pod, all, random))
                .steps(Math.min(nodes, 20_000));
        System.gc();
    }

    /** A decision, the next snapshot, a release. */
    @Benchmark
    public Cluster placeAndRelease() {
        return churn.step();
    }
}
