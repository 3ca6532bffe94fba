package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.bench.load.Shape;
import io.gpusched.bench.load.Snapshots;
import io.gpusched.decision.GroupDecision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
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

/**
 * How long does it take to decide where the members of a gang go, each of which takes a whole node? Racks of 16 to 1,024
 * nodes stand side by side, and seven nodes of ten are empty.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class GangBenchmark {
    /** How many members, all of which must start. */
    @Param({"8", "64", "512"})
    public int members;

    /** Whether they must be in one rack: {@code anywhere} or {@code rack}. */
    @Param({"anywhere", "rack"})
    public String locality;

    /** How many nodes. */
    @Param({"10000", "100000"})
    public int nodes;

    private GpuScheduler scheduler;
    private Snapshots snapshots;
    private PodGroup group;

    /** Fills three nodes of ten and makes the group. */
    @Setup(Level.Trial)
    public void fill() {
        Mix mix = Mix.named("wholeNode");
        scheduler = Policies.scheduler("binPack");
        snapshots = new Snapshots(Churn.of(mix, scheduler, Clusters.uniform(nodes, rack -> 16 << rack % 7), 0.3));
        Shape shape = mix.shapes().get(0);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            pods.add(shape.pod("member-" + i));
        }
        PodGroup anywhere = PodGroup.of("gang", pods);
        group = locality.equals("rack") ? anywhere.withLocality(Locality.within("rack")) : anywhere;
        if (!schedule().isPlaced()) {
            throw new IllegalStateException("the gang must find room: " + schedule());
        }
    }

    /** A decision for the group. */
    @Benchmark
    public GroupDecision schedule() {
        Cluster cluster = snapshots.next();
        return scheduler.schedule(cluster, group);
    }
}
