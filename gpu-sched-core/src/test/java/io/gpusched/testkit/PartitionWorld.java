package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Small clusters with GPUs that are cut in every way, pods that ask for partitions. */
public final class PartitionWorld {
    private static final GpuAffinity NEAR = GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE);
    private static final GpuModel A30 = GpuModel.of("nvidia", "A30", 24_576);
    private static final PartitionGeometry ON_DEMAND = MigGeometry.A30_24GB.geometry();
    public static final List<PartitionGeometry> GEOMETRIES = List.of(
            PartitionGeometry.NONE,
            ON_DEMAND,
            StaticCuts.of(ON_DEMAND, "1g.6gb@0", "1g.6gb+me@1", "2g.12gb@2"),
            StaticCuts.oneOf(
                    ON_DEMAND,
                    Map.of(
                            "small", List.of("1g.6gb@0", "1g.6gb@1", "1g.6gb@2", "1g.6gb@3"),
                            "halves", List.of("2g.12gb@0", "2g.12gb@2"))),
            StaticCuts.of(ON_DEMAND, "1g.6gb@0", "2g.12gb@2"),
            PartitionGeometry.of(
                    "modes",
                    2,
                    NamedAmounts.of(Map.of("engines", 2L)),
                    List.of(mode("1g.6gb", 1, List.of(0, 1), "n1"), mode("2g.12gb", 2, List.of(0), "n2"))));

    private final Random random;

    public PartitionWorld(long seed) {
        this.random = new Random(seed);
    }

    private static PartitionProfile mode(String name, int size, List<Integer> starts, String nodeMode) {
        return PartitionProfile.of(name, size, starts)
                .withComputeMillis(500 * size)
                .withMode(name)
                .withNodeMode(nodeMode)
                .withCounters(NamedAmounts.of(Map.of("engines", (long) size)));
    }

    public Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int n = 0; n < count; n++) {
            nodes.add(node("n" + n));
        }
        return Cluster.of(nodes);
    }

    private Node node(String name) {
        Node.Builder node = Node.builder(name)
                .mode(NodeMode.values()[random.nextInt(3)])
                .capacity(4_000, 8_192)
                .maxPods(8);
        PartitionGeometry usual = GEOMETRIES.get(random.nextInt(GEOMETRIES.size()));
        int gpus = 1 + random.nextInt(3);
        for (int g = 0; g < gpus; g++) {
            boolean odd = random.nextInt(4) == 0;
            PartitionGeometry geometry = odd ? GEOMETRIES.get(random.nextInt(GEOMETRIES.size())) : usual;
            node.gpu(Gpu.of(g, name + "-" + g, A30)
                    .withPartitions(geometry)
                    .withNumaNode(random.nextInt(2))
                    .withHealthy(random.nextInt(10) > 0));
        }
        return node.build();
    }

    public Pod pod(int number) {
        Pod.Builder pod = Pod.builder("pod-" + number);
        int containers = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
        for (int c = 0; c < containers; c++) {
            ContainerKind kind = containers == 1 || random.nextInt(3) > 0
                    ? ContainerKind.ORDINARY
                    : random.nextBoolean() ? ContainerKind.INIT : ContainerKind.SIDECAR;
            pod.container(new Container(
                    "c" + c, kind, Resources.of(100L * random.nextInt(8), 128L * random.nextInt(8)), request(c)));
        }
        return pod.build();
    }

    private GpuRequest request(int container) {
        String profile = List.of("1g.6gb", "1g.6gb", "2g.12gb", "2g.12gb", "1g.6gb+me", "4g.24gb")
                .get(random.nextInt(6));
        return switch (random.nextInt(container == 0 ? 8 : 4)) {
            case 0 -> GpuRequest.percent(10 * (1 + random.nextInt(9)));
            case 1 -> GpuRequest.exclusive(1);
            case 2 ->
                GpuRequest.partition(profile, 2)
                        .withSelector(random.nextBoolean() ? GpuSelector.ANY : GpuSelector.ANY.withAffinity(NEAR));
            default -> GpuRequest.partition(profile, 1);
        };
    }
}
