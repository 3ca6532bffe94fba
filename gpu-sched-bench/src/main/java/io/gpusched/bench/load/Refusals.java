package io.gpusched.bench.load;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.stream.IntStream;

/** Requests for which a nearly full cluster has no room, each for another reason. */
public final class Refusals {
    private final GpuScheduler scheduler;
    private final Pod pod;
    private final Snapshots snapshots;

    private Refusals(Churn churn, Pod pod) {
        this.scheduler = churn.scheduler();
        this.pod = pod;
        this.snapshots = new Snapshots(churn);
    }

    /**
     * Returns a request of this name on so many nodes: {@code exclusive8} and {@code wholeNode}, where some GPUs are idle,
     * but of no node all; {@code share}, of 80 percent where most GPUs have less than 20 and none has more than 70 left;
     * {@code cpu}, where GPUs are idle and no node has the CPU for them; {@code cpuOrMemory}, where every node has idle
     * GPUs and either the CPU or the memory, but not both; {@code terms}, where GPUs are idle, and no node meets any of 2,000
     * terms of the pod's selector.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Refusals named(String name, int nodes) {
        Resources small = new Resources(1_000, 1_024);
        return switch (name) {
            case "exclusive8" -> of("exclusive1", 0.99, nodes, small, GpuRequest.exclusive(8));
            case "wholeNode" -> of("exclusive1", 0.99, nodes, small, GpuRequest.wholeNode());
            case "share" -> of("percent30", 0.9995, nodes, small, GpuRequest.percent(80));
            case "cpu" -> of("mixedTrace", 0.99, nodes, new Resources(64_000, 1_024), GpuRequest.exclusive(1));
            case "cpuOrMemory" -> hogged(nodes);
            case "terms" -> selecting(nodes, 2_000);
            default ->
                throw new IllegalArgumentException(
                        "refusal: expected exclusive8, wholeNode, share, cpu, cpuOrMemory or terms, got \"" + name
                                + "\"");
        };
    }

    private static Refusals of(String mix, double fill, int nodes, Resources resources, GpuRequest gpu) {
        Churn churn = Churn.of(Mix.named(mix), Policies.scheduler("binPack"), Clusters.uniform(nodes), fill);
        return new Refusals(churn, new Shape(resources, gpu, 1).pod("refused"));
    }

    /** Terms that have to be looked at on every node: its name must be a number above another bound in each. */
    private static Refusals selecting(int nodes, int terms) {
        Churn churn = Churn.of(Mix.named("exclusive1"), Policies.scheduler("binPack"), Clusters.uniform(nodes), 0.5);
        NodeSelector selector = new NodeSelector(IntStream.range(0, terms)
                .mapToObj(i -> new NodeSelector.Term(List.of(new NodeRequirement(
                        NodeRequirement.NAME, NodeRequirement.Operator.GT, List.of(Integer.toString(i))))))
                .toList());
        return new Refusals(
                churn,
                Pod.builder("refused")
                        .container("main", new Resources(1_000, 1_024), GpuRequest.exclusive(1))
                        .nodeSelector(selector)
                        .build());
    }

    private static Refusals hogged(int nodes) {
        Churn churn = Churn.of(Mix.named("exclusive1"), Policies.scheduler("binPack"), Clusters.uniform(nodes), 0.01)
                .with(Refusals::hog);
        Shape shape = new Shape(new Resources(8_000, 32_768), GpuRequest.exclusive(1), 1);
        return new Refusals(churn, shape.pod("refused"));
    }

    private static Cluster hog(Cluster cluster) {
        ClusterBatch batch = cluster.batch();
        for (int i = 0; i < cluster.size(); i++) {
            Node node = cluster.node(i).node();
            long cpuMillis = cluster.node(i).freeCpuMillis() - (i % 2 == 0 ? 4_000 : 48_000);
            long memoryMib = cluster.node(i).freeMemoryMib() - (i % 2 == 0 ? 196_608 : 16_384);
            batch.place(new Placement(
                    PodId.of("hog-" + i),
                    node.name(),
                    new Resources(Math.max(0, cpuMillis), Math.max(0, memoryMib)),
                    List.of(ContainerGrant.of("main", GpuGrant.none()))));
        }
        return batch.build();
    }

    /** Decides on the next snapshot. */
    public Unschedulable next() {
        Decision decision = scheduler.schedule(snapshots.next(), pod);
        if (decision instanceof Unschedulable unschedulable) {
            return unschedulable;
        }
        throw new IllegalStateException("expected a refusal, got " + decision);
    }
}
