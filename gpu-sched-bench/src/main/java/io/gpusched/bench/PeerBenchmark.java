package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Shape;
import io.gpusched.bench.peer.ArrayLoop;
import io.gpusched.bench.peer.ObjectLoop;
import io.gpusched.bench.peer.Peer;
import io.gpusched.bench.peer.PeerChurn;
import io.gpusched.model.Cluster;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import java.util.Arrays;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * How does gpu-sched compare with the loops one would write oneself? Each does the same: best fit over all nodes by GPUs,
 * with a check of CPU and memory; place a pod and release a random one; the clusters half full.
 *
 * <p>The loops work on mutable state, know nothing of labels, models, modes and health, name no reasons and check nothing
 * that they are told. See {@link FenzoBenchmark} for Netflix Fenzo.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PeerBenchmark {
    private static final double FILL = 0.5;
    private static final int CPU_MILLIS = 96_000;
    private static final int MEMORY_MIB = 393_216;

    /** What arrives. */
    @Param({"exclusive1", "percent30", "wholeNode"})
    public String mix;

    /** How many nodes. */
    @Param({"1000", "5000", "10000", "100000"})
    public int nodes;

    /** How many clusters are used in turn. Of one small cluster the processor learns the branches by heart. */
    @Param({"1", "16"})
    public int clusters;

    private PeerChurn[] peers;
    private Churn[] churns;
    private int next;

    /** Fills the clusters of whoever is measured. */
    @Setup(Level.Trial)
    public void fill(BenchmarkParams params) {
        String name = params.getBenchmark();
        if (name.endsWith("gpuSched")) {
            churns = new Churn[clusters];
            Arrays.setAll(churns, c -> churn(c));
        } else {
            peers = new PeerChurn[clusters];
            Arrays.setAll(peers, c -> peer(name.endsWith("arrayLoop"), c));
        }
    }

    private Churn churn(int seed) {
        return Churn.of(Mix.named(mix), GpuScheduler.of(BinPack.of()), Clusters.uniform(nodes), FILL, seed);
    }

    private PeerChurn peer(boolean arrays, int seed) {
        Shape shape = Mix.named(mix).shapes().get(0);
        Peer loop = arrays
                ? new ArrayLoop(shape, nodes, CPU_MILLIS, MEMORY_MIB)
                : new ObjectLoop(shape, nodes, CPU_MILLIS, MEMORY_MIB);
        return new PeerChurn(loop, shape, nodes, FILL, seed);
    }

    private int turn() {
        next = next + 1 < clusters ? next + 1 : 0;
        return next;
    }

    /** Flat arrays. */
    @Benchmark
    public int arrayLoop() {
        return peers[turn()].step();
    }

    /** Objects and streams. */
    @Benchmark
    public int objectLoop() {
        return peers[turn()].step();
    }

    /** This library. */
    @Benchmark
    public Cluster gpuSched() {
        return churns[turn()].step();
    }
}
