package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Two or three small nodes with GPUs that are partly cut, and groups whose members ask for partitions, parts and whole GPUs. */
public final class PartitionGroupWorld {
    private static final GpuModel MODEL = GpuModel.of("nvidia", "A30", 24_576);

    /** Three units, of which the pairs overlap, and a counter that one profile takes. */
    private static final PartitionGeometry THREE_UNITS = PartitionGeometry.of(
            "three",
            3,
            NamedAmounts.of(Map.of("engines", 1L)),
            List.of(
                    PartitionProfile.of("1g.6gb", 1, List.of(0, 1, 2)).withComputeMillis(300),
                    PartitionProfile.of("2g.12gb", 2, List.of(0, 1)).withComputeMillis(600),
                    PartitionProfile.of("1g.6gb+me", 1, List.of(1, 2))
                            .withComputeMillis(300)
                            .withCounters(NamedAmounts.of(Map.of("engines", 1L)))));

    private final Random random;
    private int pods;

    public PartitionGroupWorld(long seed) {
        this.random = new Random(seed);
    }

    /** Two or three nodes of one or two GPUs, on which pods run at places that no scheduler chose. */
    public Cluster cluster() {
        PartitionGeometry usual = geometry();
        List<Node> nodes = new ArrayList<>();
        int size = 2 + random.nextInt(2);
        for (int n = 0; n < size; n++) {
            nodes.add(node("n" + n, usual));
        }
        Cluster cluster = Cluster.of(nodes);
        int running = random.nextInt(2 * size + 1);
        for (int i = 0; i < running; i++) {
            NodeState node = cluster.node(random.nextInt(size));
            Pod pod = pod();
            List<NodeState> ways = BruteForce.ways(node, pod);
            if (!ways.isEmpty()) {
                cluster = cluster.with(ways.get(random.nextInt(ways.size()))
                        .placement(pod.id())
                        .orElseThrow());
            }
        }
        return oneIn(12) ? cluster.withCordoned("n0", true) : cluster;
    }

    private Node node(String name, PartitionGeometry usual) {
        Node.Builder node = Node.builder(name)
                .mode(oneIn(3) ? NodeMode.values()[random.nextInt(3)] : NodeMode.MIXED)
                .capacity(oneIn(3) ? 2_000 : 8_000, 8_192)
                .maxPods(oneIn(8) ? 2 : 8)
                .topology(oneIn(8) ? Topology.NONE : Topology.of("rack", "r" + random.nextInt(2)));
        int gpus = 1 + random.nextInt(2);
        for (int g = 0; g < gpus; g++) {
            node.gpu(Gpu.of(g, name + "-" + g, MODEL)
                    .withPartitions(oneIn(4) ? geometry() : usual)
                    .withNumaNode(random.nextInt(2))
                    .withHealthy(!oneIn(12)));
        }
        return node.build();
    }

    private PartitionGeometry geometry() {
        List<PartitionGeometry> all = PartitionWorld.GEOMETRIES;
        return oneIn(3) ? THREE_UNITS : oneIn(2) ? all.get(1) : all.get(random.nextInt(all.size()));
    }

    /** Two to four pods in one or two roles. */
    public PodGroup group() {
        int size = 2 + random.nextInt(3);
        int first = oneIn(2) ? size : 1 + random.nextInt(size);
        List<PodGroup.Role> roles = new ArrayList<>();
        roles.add(role("first", first));
        if (first < size) {
            roles.add(role("second", size - first));
        }
        int least = oneIn(2) ? size : 1 + random.nextInt(size);
        return new PodGroup("group", least, roles, locality());
    }

    private PodGroup.Role role(String name, int size) {
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Pod fresh = pod();
            members.add(i > 0 && oneIn(2) ? members.get(0).withId(fresh.id()) : fresh);
        }
        return new PodGroup.Role(name, oneIn(2) ? 0 : random.nextInt(size + 1), members);
    }

    private Locality locality() {
        Locality locality = List.of(Locality.ANYWHERE, Locality.ANYWHERE, Locality.within("rack"), Locality.oneNode())
                .get(random.nextInt(4));
        return oneIn(6) ? locality.preferred() : locality;
    }

    /** A pod of one container, rarely of two; names count up. */
    public Pod pod() {
        Pod.Builder pod = Pod.builder("p" + pods++);
        if (oneIn(8)) {
            Resources resources = resources();
            pod.container(
                    oneIn(3)
                            ? Container.init("beside", resources, request())
                            : new Container("beside", ContainerKind.ORDINARY, resources, request()));
        }
        return pod.container("main", resources(), request()).build();
    }

    private Resources resources() {
        return Resources.of(500L * random.nextInt(3), 512L * random.nextInt(3));
    }

    private GpuRequest request() {
        GpuRequest one = shape();
        GpuRequest other = oneIn(8) ? shape() : one;
        return one.equals(other) ? one : GpuRequest.firstOf(one, other);
    }

    private GpuRequest shape() {
        GpuSelector selector = selector();
        return switch (random.nextInt(10)) {
            case 0 -> GpuRequest.exclusive(1 + random.nextInt(2), selector);
            case 1 -> GpuRequest.percent(10 * (1 + random.nextInt(9))).withSelector(selector);
            case 2 -> GpuRequest.percent(50).withSelector(selector);
            case 3 -> GpuRequest.partition("1g.6gb", 2).withSelector(selector);
            case 4, 5 -> GpuRequest.partition("1g.6gb", 1).withSelector(selector);
            case 6, 7 -> GpuRequest.partition("2g.12gb", 1).withSelector(selector);
            case 8 -> GpuRequest.partition("1g.6gb+me", 1).withSelector(selector);
            default ->
                GpuRequest.partition(oneIn(2) ? "4g.24gb" : "2g.12gb", oneIn(3) ? 2 : 1)
                        .withSelector(selector);
        };
    }

    private GpuSelector selector() {
        return switch (random.nextInt(12)) {
            case 0 -> GpuSelector.ANY.withDeniedUuids(Set.of("n0-0", "n1-1"));
            case 1 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));
            default -> GpuSelector.ANY;
        };
    }

    private boolean oneIn(int number) {
        return random.nextInt(number) == 0;
    }
}
