package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** One node of up to eight GPUs in use, and a pod of up to eight containers of every kind that ask for GPUs of it. */
public final class CrowdedNode {
    private static final GpuModel BIG = GpuModel.of("nvidia", "A100", 1_000);
    private static final GpuModel SMALL = GpuModel.of("amd", "MI210", 333);

    private final NodeState node;
    private final Pod pod;

    public CrowdedNode(long seed) {
        Random random = new Random(seed);
        node = node(random);
        pod = pod(random);
    }

    public NodeState node() {
        return node;
    }

    public Pod pod() {
        return pod;
    }

    private static NodeState node(Random random) {
        int gpus = 1 + random.nextInt(8);
        boolean mixed = random.nextInt(3) == 0;
        Node.Builder node = Node.builder("n").capacity(1_000_000, 1_000_000).maxPods(100);
        for (int g = 0; g < gpus; g++) {
            Gpu gpu = Gpu.of(g, "gpu-" + g, mixed && random.nextBoolean() ? SMALL : BIG)
                    .withNumaNode(2 * g / gpus);
            node.gpu(random.nextInt(8) == 0 ? gpu.withSlots(2) : gpu);
        }
        Cluster cluster = Cluster.of(List.of(node.build()));
        boolean differently = random.nextBoolean();
        for (int g = 0; g < gpus; g++) {
            if (random.nextInt(4) > 0) {
                int compute = differently ? random.nextInt(800) : 100 * random.nextInt(8);
                long memory = random.nextInt(200);
                GpuGrant grant = random.nextInt(8) == 0
                        ? new GpuGrant.Whole(List.of(g))
                        : new GpuGrant.Shared(List.of(new GpuShare(g, compute, memory, 1)));
                cluster = cluster.with(
                        new Placement(PodId.of("u" + g), "n", Resources.NONE, List.of(ContainerGrant.of("c", grant))));
            }
        }
        return cluster.node(0);
    }

    private static Pod pod(Random random) {
        int containers = 2 + random.nextInt(7);
        boolean equal = random.nextInt(3) == 0;
        List<Container> list = new ArrayList<>();
        for (int c = 0; c < containers; c++) {
            ContainerKind kind = random.nextInt(3) > 0
                    ? ContainerKind.ORDINARY
                    : random.nextBoolean() ? ContainerKind.INIT : ContainerKind.SIDECAR;
            GpuRequest request = equal && c > 0 ? list.get(0).gpu() : request(random);
            list.add(new Container("c" + c, kind, Resources.NONE, request));
        }
        return new Pod(PodId.of("p"), list, NodeSelector.ANY, List.of());
    }

    private static GpuRequest request(Random random) {
        GpuSelector selector = switch (random.nextInt(10)) {
            case 0 -> GpuSelector.models("A100");
            case 1 -> GpuSelector.ANY.withDeniedUuids(Set.of("gpu-0", "gpu-3"));
            case 2 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));
            case 3 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
            default -> GpuSelector.ANY;
        };
        return switch (random.nextInt(8)) {
            case 0 -> GpuRequest.exclusive(1 + random.nextInt(2), selector);
            case 1 -> GpuRequest.percent(5 + random.nextInt(60)).withSelector(selector);
            case 2 -> GpuRequest.share(0, GpuMemory.mib(random.nextInt(200))).withSelector(selector);
            case 3 ->
                GpuRequest.share(10 + random.nextInt(300), GpuMemory.mib(random.nextInt(100)))
                        .withCount(1 + random.nextInt(4))
                        .withSelector(selector);
            default ->
                GpuRequest.share(100 + 10 * random.nextInt(50), GpuMemory.mib(10L * random.nextInt(40)))
                        .withSelector(selector);
        };
    }
}
