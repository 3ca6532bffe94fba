package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.bench.load.Snapshots;
import io.gpusched.decision.GroupDecision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
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
 * How long does it take to decide where the 512 members of a gang go that must stay close? Blocks of 2,048 nodes, in each 16
 * racks, in each 8 NVLink domains of 16 nodes; seven nodes of ten are empty.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class TopologyBenchmark {
    /** {@code rack}: of one GPU each, all in one rack; {@code slices}: of eight, eight per NVLink domain, all in one block. */
    @Param({"rack", "slices"})
    public String locality;

    /** How many nodes. */
    @Param({"10000", "100000"})
    public int nodes;

    /** How many members the gang has. */
    @Param("512")
    public int members;

    private GpuScheduler scheduler;
    private Snapshots snapshots;
    private PodGroup group;

    /** Fills three nodes of ten and makes the group. */
    @Setup(Level.Trial)
    public void fill() {
        scheduler = Policies.scheduler("binPack");
        snapshots = new Snapshots(Churn.of(Mix.named("wholeNode"), scheduler, Clusters.inBlocks(nodes), 0.3));
        boolean slices = locality.equals("slices");
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            pods.add(Pod.of("member-" + i, Resources.of(1_000, 1_024), GpuRequest.exclusive(slices ? 8 : 1)));
        }
        PodGroup anywhere = PodGroup.of("gang", pods);
        group = slices
                ? anywhere.withSlices(8, "nvlink").withLocality(Locality.within("block"))
                : anywhere.withLocality(Locality.within("rack"));
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
