package io.gpusched.cookbook;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;

/** Makes a cluster of what an inventory knows: the machines, and what runs on them. */
public final class MapMyCluster {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4", 15_360);

    private MapMyCluster() {}

    /** Prints what each node has free. */
    public static void main(String... args) {
        cluster()
                .nodes()
                .forEach(node -> System.out.println(node.name() + ": " + node.idleGpus() + " GPUs idle, "
                        + node.freeComputeMillis() + "m of GPU compute and " + node.freeCpuMillis()
                        + "m of CPU free, pods: " + node.podCount()));
    }

    static Cluster cluster() {
        List<Node> nodes = List.of(
                a100Node("a1", "rack-1"),
                a100Node("a2", "rack-1").withGpuHealth(7, false),
                a100Node("a3", "rack-2"),
                t4Node("t1"));
        return Cluster.of(
                nodes,
                List.of(
                        whole("training/trainer-0", "a1", 32_000, List.of(0, 1, 2, 3)),
                        whole("training/trainer-1", "a3", 16_000, List.of(0, 1)),
                        share("research/notebook", "a3", 4_000, new GpuShare(2, 500, 40_960, 1)),
                        share("serving/chat", "t1", 2_000, new GpuShare(0, 300, 4_608, 1))));
    }

    static Node a100Node(String name, String rack) {
        return Node.builder(name)
                .mode(NodeMode.MIXED)
                .capacity(96_000, 786_432)
                .gpus(8, A100)
                .label("pool", "training")
                .topology(Topology.of("rack", rack))
                .build();
    }

    private static Node t4Node(String name) {
        return Node.builder(name)
                .mode(NodeMode.SHARED)
                .capacity(32_000, 131_072)
                .gpus(4, T4)
                .label("pool", "serving")
                .topology(Topology.of("rack", "rack-2"))
                .build();
    }

    private static Placement whole(String pod, String node, long cpuMillis, List<Integer> gpus) {
        return placement(pod, node, cpuMillis, GpuRequest.exclusive(gpus.size()), new GpuGrant.Whole(gpus));
    }

    private static Placement share(String pod, String node, long cpuMillis, GpuShare share) {
        GpuRequest asked = GpuRequest.share(share.computeMillis(), GpuMemory.mib(share.memoryMib()));
        return placement(pod, node, cpuMillis, asked, new GpuGrant.Shared(List.of(share)));
    }

    private static Placement placement(String name, String node, long cpuMillis, GpuRequest asked, GpuGrant held) {
        Pod pod = Pod.of(name, Resources.of(cpuMillis, 4 * cpuMillis), asked);
        return new Placement(pod.id(), node, pod.resources(), List.of(ContainerGrant.of("main", held)))
                .withSpec(pod.spec());
    }
}
