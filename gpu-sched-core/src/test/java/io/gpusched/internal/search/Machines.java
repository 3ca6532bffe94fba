package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** Clusters of nodes n00, n01, ... of GPUs with 1,000 MiB, and questions about them. */
final class Machines {
    private Machines() {}

    static Node.Builder node(int number, int gpus) {
        return Node.builder("n%02d".formatted(number)).capacity(8_000, 8_000).gpus(gpus, Nodes.BIG);
    }

    /** Nodes with these numbers of GPUs. */
    static Cluster cluster(int... gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int count : gpus) {
            nodes.add(node(nodes.size(), count).build());
        }
        return Cluster.of(nodes);
    }

    /** The cluster once a pod of this request runs on a node, on the lowest GPUs on which it fits. */
    static Cluster running(Cluster cluster, String node, GpuRequest request) {
        Pod pod = Pod.of("on-" + node + "-" + cluster.placements().size(), Resources.NONE, request);
        return cluster.with(GpuScheduler.create()
                .place(cluster.node(node).orElseThrow(), pod)
                .orElseThrow());
    }

    /** A pod of 1 CPU with a container for each of these requests. */
    static Pod pod(GpuRequest... requests) {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < requests.length; c++) {
            pod.container("c" + c, Resources.of(c == 0 ? 1_000 : 0, 0), requests[c]);
        }
        return pod.build();
    }

    static Query query(Cluster cluster, Pod pod) {
        SnapshotIndex index = SnapshotIndex.create();
        index.follow(cluster);
        return Query.of(index, new PodDemand(pod), SlotRange.EVERYWHERE, SearchSteps.of(1_000_000));
    }
}
