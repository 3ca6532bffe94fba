package io.gpusched.bench.load;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A cluster in steady state: a pod arrives, is decided on and placed, and random running pods leave until the cluster is
 * as full as at the start.
 *
 * <p>The start is a cluster whose nodes are packed until nothing fits, of whose pods a random part, 1 - fill, has left. A
 * pod that is refused is forgotten and nobody leaves for it. Everything that is random follows from the seed.
 */
public final class Churn {
    private final Mix mix;
    private final GpuScheduler scheduler;
    private final SplittableRandom random;
    private final Running running;
    private final long fullCpuMillis;
    private Cluster cluster;
    private BiFunction<Pod, SplittableRandom, Pod> arriving = (pod, random) -> pod;
    private long refused;

    private Churn(Mix mix, GpuScheduler scheduler, List<Node> nodes, double fill, int seed) {
        this.mix = mix;
        this.random = new SplittableRandom(seed);
        this.scheduler = scheduler;
        this.running = new Running(mix);
        this.cluster = filled(nodes, fill);
        this.fullCpuMillis = running.cpuMillis();
    }

    /** Fills these nodes with pods of a mix. */
    public static Churn of(Mix mix, GpuScheduler scheduler, List<Node> nodes, double fill) {
        return of(mix, scheduler, nodes, fill, 42);
    }

    /** Fills these nodes with pods of a mix; what is random follows from the seed. */
    public static Churn of(Mix mix, GpuScheduler scheduler, List<Node> nodes, double fill, int seed) {
        return new Churn(mix, scheduler, nodes, fill, seed);
    }

    private Cluster filled(List<Node> nodes, double fill) {
        Templates templates = new Templates(mix, random);
        Cluster empty = Cluster.of(nodes);
        ClusterBatch batch = empty.batch();
        for (Node node : nodes) {
            for (Templates.Example example : templates.any(node)) {
                if (random.nextDouble() < fill) {
                    Pod pod = running.arrival(example.shape());
                    Placement placement = example.placement().heldBy(pod.id(), pod.spec(), node.name());
                    batch.place(placement);
                    running.add(placement);
                }
            }
        }
        return batch.build();
    }

    /** One arrival: a decision, the next snapshot, and on the average one departure. */
    public Cluster step() {
        int shape = mix.draw(random);
        Pod pod = arriving.apply(running.arrival(shape), random);
        Decision decision = scheduler.schedule(cluster, pod);
        if (decision instanceof Placed placed) {
            cluster = cluster.with(placed.placement());
            running.add(placed.placement());
        } else {
            refused++;
        }
        while (running.cpuMillis() > fullCpuMillis) {
            cluster = cluster.without(running.remove(random));
        }
        return cluster;
    }

    /** Changes the cluster by other means; what runs by then must go on running. */
    public Churn with(UnaryOperator<Cluster> change) {
        cluster = change.apply(cluster);
        return this;
    }

    /** Changes each pod that arrives from now on. */
    public Churn arriving(BiFunction<Pod, SplittableRandom, Pod> change) {
        arriving = change;
        return this;
    }

    /** Lets as many pods arrive as run: what the cluster is like then no longer hangs on how it was filled. */
    public Churn settled() {
        return steps(running.size());
    }

    /** Takes many steps. */
    public Churn steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
        return this;
    }

    /** Returns the snapshot as it is now. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns the scheduler that decides. */
    public GpuScheduler scheduler() {
        return scheduler;
    }

    /** Returns a pod of the mix that does not run. */
    public Pod arrival() {
        return arriving.apply(running.arrival(mix.draw(random)), random);
    }

    /** Returns how many arrivals were refused so far. */
    public long refused() {
        return refused;
    }
}
