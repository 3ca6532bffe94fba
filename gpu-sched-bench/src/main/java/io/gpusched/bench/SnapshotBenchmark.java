package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.bench.load.Snapshots;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
 * What do the operations of a snapshot cost? The cluster runs the openb mix and is nine tenths full.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SnapshotBenchmark {
    private static final int BATCH = 10_000;

    /** How many nodes. */
    @Param({"1000", "10000", "100000"})
    public int nodes;

    private List<Node> machines;
    private List<Placement> running;
    private List<Placement> arrivals;
    private Cluster cluster;
    private Snapshots snapshots;
    private int next;

    /** Fills the cluster and decides on arrivals. */
    @Setup(Level.Trial)
    public void fill() {
        machines = Clusters.uniform(nodes);
        Churn churn = Churn.of(Mix.named("mixedTrace"), Policies.scheduler("binPack"), machines, 0.9);
        snapshots = new Snapshots(churn);
        cluster = churn.cluster();
        running = new ArrayList<>(cluster.placements());
        Collections.shuffle(running, new Random(1));
        arrivals = new ArrayList<>(running.subList(0, Math.min(BATCH, running.size() / 4)));
        running = running.subList(arrivals.size(), running.size());
        arrivals.forEach(placement -> cluster = cluster.without(placement));
    }

    private int turn(List<Placement> of) {
        next = next + 1 < of.size() ? next + 1 : 0;
        return next;
    }

    /** One placement, applied to one snapshot again and again. */
    @Benchmark
    public Cluster place() {
        return cluster.with(arrivals.get(turn(arrivals)));
    }

    /** One release, from one snapshot again and again. */
    @Benchmark
    public Cluster release() {
        return cluster.without(running.get(turn(running)));
    }

    /** One release by the name of the pod. */
    @Benchmark
    public Cluster releaseByName() {
        return cluster.without(running.get(turn(running)).pod());
    }

    /** What changed over a hundred arrivals and departures. */
    @Benchmark
    public int diff() {
        int[] changed = {0};
        Cluster now = snapshots.next();
        now.forEachChange(snapshots.previous(), (before, after) -> changed[0]++);
        return changed[0];
    }

    /** The sums over the cluster. */
    @Benchmark
    public ClusterTotals totals() {
        return snapshots.next().totals();
    }

    /** An empty cluster of all the nodes. */
    @Benchmark
    public Cluster build() {
        return Cluster.of(machines);
    }

    /** Up to 10,000 placements at once. */
    @Benchmark
    public Cluster placeBatch() {
        return cluster.withAll(arrivals);
    }
}
