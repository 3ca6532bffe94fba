package io.gpusched.bench;

import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Shape;
import io.gpusched.bench.peer.FenzoCluster;
import io.gpusched.bench.peer.Peer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast does Netflix Fenzo do what {@link PeerBenchmark} does, with one whole GPU a pod? It is asked for 100 pods at a
 * time, which suits it best; the rate is per pod. It uses a thread for each core; the CPU time says what that costs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 4)
@Measurement(iterations = 5, time = 4)
public class FenzoBenchmark {
    private static final int BATCH = 100;

    /** How many nodes. */
    @Param({"1000", "5000"})
    public int nodes;

    private FenzoCluster fenzo;
    private int running;

    /** Fills half of the cluster. */
    @Setup(Level.Trial)
    public void fill() {
        Shape shape = Mix.named("exclusive1").shapes().get(0);
        fenzo = new FenzoCluster(shape, nodes, 96, 393_216).fill(Peer.GPUS, 0.5);
        running = fenzo.size();
    }

    /** Stops Fenzo's threads. */
    @TearDown(Level.Trial)
    public void stop() {
        fenzo.close();
    }

    /** Places a batch of pods and releases as many random ones. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int placeAndRelease() {
        int placed = fenzo.place(BATCH, 1);
        if (placed < BATCH) {
            throw new IllegalStateException("placed " + placed + " of " + BATCH);
        }
        fenzo.releaseDownTo(running);
        return placed;
    }
}
