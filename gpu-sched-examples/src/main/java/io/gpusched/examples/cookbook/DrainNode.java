package io.gpusched.examples.cookbook;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Finds new places for all that runs on a node. */
public final class DrainNode {
    private DrainNode() {}

    /** Prints who would move where if a node were drained. */
    public static void main(String... args) {
        Cluster before = MapMyCluster.cluster();
        Optional<Cluster> after = drained(before, "a3", requests());
        after.ifPresent(cluster -> before.node("a3").orElseThrow().placements().stream()
                .map(placement -> cluster.placement(placement.pod()).orElseThrow())
                .forEach(moved -> System.out.println("move " + moved)));
    }

    /** Returns the cluster with this node cordoned and empty, or nothing if a pod of it would have no place. */
    static Optional<Cluster> drained(Cluster cluster, String name, Map<PodId, Pod> requests) {
        GpuScheduler scheduler = GpuScheduler.create();
        NodeState node = cluster.node(name).orElseThrow();
        Cluster next = cluster.withCordoned(name, true);
        for (Placement placement : node.placements()) {
            next = next.without(placement.pod());
        }
        for (Placement placement : node.placements()) {
            Pod pod = Objects.requireNonNull(requests.get(placement.pod()), "request");
            if (!(scheduler.schedule(next, pod) instanceof Placed placed)) {
                return Optional.empty();
            }
            next = next.with(placed.placement());
        }
        return Optional.of(next);
    }

    /** What the running pods asked for: a placement says what a pod holds, not what it would accept. */
    static Map<PodId, Pod> requests() {
        return Map.of(
                PodId.of("training/trainer-0"),
                Pod.of("training/trainer-0", Resources.of(32_000, 128_000), GpuRequest.exclusive(4)),
                PodId.of("training/trainer-1"),
                Pod.of("training/trainer-1", Resources.of(16_000, 64_000), GpuRequest.exclusive(2)),
                PodId.of("research/notebook"),
                Pod.of("research/notebook", Resources.of(4_000, 16_000), GpuRequest.share(500, GpuMemory.mib(40_960))),
                PodId.of("serving/chat"),
                Pod.of("serving/chat", Resources.of(2_000, 8_000), GpuRequest.percent(30)));
    }
}
