package io.gpusched.testkit;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes small clusters, pods and groups in which everything that a request can ask for occurs; the seed decides all. */
public final class SmallWorld {
    private static final GpuModel BIG = GpuModel.of("nvidia", "A100", 100);
    private static final GpuModel SMALL = GpuModel.of("amd", "MI210", 60);

    private final Random random;
    private final boolean hasChoices;
    private int pods;

    /** Starts a world; equal seeds give equal clusters, pods and groups in their order. */
    public SmallWorld(long seed) {
        this(seed, false);
    }

    private SmallWorld(long seed, boolean hasChoices) {
        this.random = new Random(seed);
        this.hasChoices = hasChoices;
    }

    /** A world in which some containers accept one of two shapes. */
    public static SmallWorld withChoices(long seed) {
        return new SmallWorld(seed, true);
    }

    /** One to {@code most} nodes of up to three GPUs, with something running on them. */
    public Cluster cluster(int most) {
        List<Node> nodes = new ArrayList<>();
        int size = 1 + random.nextInt(most);
        for (int i = 0; i < size; i++) {
            nodes.add(node("n" + i));
        }
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.create();
        int running = random.nextInt(2 * size + 1);
        for (int i = 0; i < running; i++) {
            if (scheduler.schedule(cluster, pod()) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
            }
        }
        for (int i = 0; i < size; i++) {
            if (oneIn(12)) {
                cluster = cluster.withCordoned("n" + i, true);
            }
            int gpus = cluster.node("n" + i).orElseThrow().gpuCount();
            if (gpus > 0 && oneIn(10)) {
                cluster = cluster.withGpuHealth("n" + i, random.nextInt(gpus), false);
            }
        }
        return cluster;
    }

    private Node node(String name) {
        NodeMode mode = oneIn(2) ? NodeMode.MIXED : List.of(NodeMode.values()).get(random.nextInt(3));
        Node.Builder node = Node.builder(name)
                .mode(mode)
                .capacity(Resources.of(2_000 + 1_000L * random.nextInt(6), 1_000 + 500L * random.nextInt(6))
                        .with("rdma/hca", random.nextInt(3)))
                .maxPods(oneIn(20) ? 0 : oneIn(4) ? 2 : 20)
                .label("disk", oneIn(3) ? "ssd" : "hdd")
                .topology(oneIn(8) ? Topology.NONE : Topology.of("rack", "r" + random.nextInt(2)));
        if (oneIn(10)) {
            node.taint(Taint.noSchedule("team", "a"));
        }
        if (oneIn(20)) {
            node.taint(new Taint("old", "", Taint.Effect.NO_EXECUTE));
        }
        boolean mixed = oneIn(4);
        int gpus = oneIn(6) ? 0 : 1 + random.nextInt(3);
        for (int g = 0; g < gpus; g++) {
            GpuModel model = mixed && g % 2 == 1 ? SMALL : BIG;
            Gpu gpu = Gpu.of(g, name + "-" + g, model).withNumaNode(g / 2);
            node.gpu(oneIn(8) ? gpu.withSlots(2) : gpu);
        }
        return gpus > 1 && oneIn(3) ? node.links(Wiring.random(random, gpus)).build() : node.build();
    }

    /** A pod of one or two containers; names count up. */
    public Pod pod() {
        Pod.Builder pod = Pod.builder("p" + pods++);
        if (oneIn(12)) {
            pod.toleration(Toleration.exists("team"));
        }
        if (oneIn(8)) {
            pod.nodeSelector(NodeSelector.all(NodeRequirement.in("disk", "ssd")));
        }
        if (oneIn(7)) {
            return pod.container("main", resources(), GpuRequest.wholeNode()).build();
        }
        if (oneIn(4)) {
            pod.container(Container.init("init", resources(), request()));
        }
        if (oneIn(3)) {
            pod.container("side", resources(), request());
        }
        return pod.container("main", resources(), request()).build();
    }

    private Resources resources() {
        Resources plain = Resources.of(500L * random.nextInt(4), 250L * random.nextInt(3));
        return oneIn(8) ? plain.with("rdma/hca", 1) : plain;
    }

    private GpuRequest request() {
        GpuRequest one = shape();
        GpuRequest other = hasChoices && oneIn(4) ? shape() : one;
        return one.isNone() || other.isNone() || one.equals(other) ? one : GpuRequest.firstOf(one, other);
    }

    private GpuRequest shape() {
        GpuSelector selector = selector();
        return switch (random.nextInt(8)) {
            case 0 -> GpuRequest.none();
            case 1, 2 -> GpuRequest.exclusive(1 + random.nextInt(2), selector);
            case 3 ->
                GpuRequest.share(300, GpuMemory.mib(10L * random.nextInt(8)))
                        .withCount(2)
                        .withSelector(selector);
            case 4 -> GpuRequest.share(0, GpuMemory.mib(30)).withSelector(selector);
            default -> GpuRequest.percent(10 * (1 + random.nextInt(9))).withSelector(selector);
        };
    }

    private GpuSelector selector() {
        return switch (random.nextInt(12)) {
            case 0 -> GpuSelector.models("A100");
            case 1 -> GpuSelector.ANY.withDeniedUuids(java.util.Set.of("n0-0", "n1-1"));
            case 2 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));
            case 3 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
            default -> GpuSelector.ANY;
        };
    }

    /** A group of one to {@code most} pods in up to two roles, often several of a shape. */
    public PodGroup group(int most) {
        List<PodGroup.Role> roles = new ArrayList<>();
        int size = 0;
        int left = 1 + random.nextInt(most);
        for (int role = 0; left > 0; role++) {
            int count = role == 1 ? left : 1 + random.nextInt(left);
            List<Pod> members = members(count);
            roles.add(new PodGroup.Role("role" + role, oneIn(2) ? 0 : random.nextInt(count + 1), members));
            size += count;
            left -= count;
        }
        return new PodGroup("group", 1 + random.nextInt(size), roles, locality());
    }

    private List<Pod> members(int count) {
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pod fresh = pod();
            members.add(i > 0 && oneIn(2) ? members.get(0).withId(fresh.id()) : fresh);
        }
        return members;
    }

    private Locality locality() {
        Locality locality = switch (random.nextInt(3)) {
            case 0 -> Locality.ANYWHERE;
            case 1 -> Locality.oneNode();
            default -> Locality.within("rack");
        };
        return oneIn(4) ? locality.preferred() : locality;
    }

    private boolean oneIn(int number) {
        return random.nextInt(number) == 0;
    }
}
