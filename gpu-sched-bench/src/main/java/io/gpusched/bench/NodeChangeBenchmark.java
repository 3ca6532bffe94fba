package io.gpusched.bench;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
 * What does it cost when nodes change, come and go, and what does the next decision cost? One pod arrives with each change,
 * in a cluster that is half full.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class NodeChangeBenchmark {
    private static final int BATCH = 1_000;

    /** Which policy decides. */
    @Param({"binPack", "lookAhead"})
    public String policy;

    /** How many nodes. */
    @Param({"10000", "100000"})
    public int nodes;

    private final SplittableRandom random = new SplittableRandom(3);
    private List<Node> all;
    private List<Node> more;
    private Churn churn;
    private int count;

    /** Fills half of the cluster and lets it churn. */
    @Setup(Level.Trial)
    public void fill() {
        all = Clusters.uniform(nodes);
        more = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            Node like = all.get(random.nextInt(nodes));
            more.add(Node.builder("more-" + i)
                    .capacity(like.capacity().cpuMillis(), like.capacity().memoryMib())
                    .topology(like.topology())
                    .gpus(like.gpus().size(), like.gpus().get(0).model())
                    .build());
        }
        churn = Churn.of(Mix.named("mixedTrace"), Policies.scheduler(policy), all, 0.5)
                .steps(Math.min(nodes, 20_000));
        System.gc();
    }

    /** A decision, the next snapshot, a release: what the others are compared with. */
    @Benchmark
    public Cluster placeAndRelease() {
        return churn.step();
    }

    /** A node gets another label, and the same again for the next pod. */
    @Benchmark
    public Cluster relabelThenPlaceAndRelease() {
        Node node = all.get(random.nextInt(nodes));
        Node changed = node.toBuilder()
                .label("example.com/seen", Integer.toString(count++ & 15))
                .build();
        return churn.with(cluster -> cluster.withReplaced(changed)).step();
    }

    /** A node is added and removed again, and a pod placed in between. */
    @Benchmark
    public Cluster addThenPlaceAndReleaseThenRemove() {
        Node node = more.get(count++ % BATCH);
        boolean there = churn.cluster().node(node.name()).isPresent();
        if (!there) {
            return churn.with(cluster -> cluster.withNode(node)).step();
        }
        if (churn.cluster().node(node.name()).orElseThrow().isEmpty()) {
            return churn.with(cluster -> cluster.withoutNode(node.name())).step();
        }
        return churn.step();
    }

    /** A thousand nodes more, in one batch, on a snapshot that stays. */
    @Benchmark
    public Cluster addThousandNodes() {
        ClusterBatch batch = churn.cluster().batch();
        more.forEach(batch::addNode);
        return batch.build();
    }
}
