package io.gpusched.simulator.soak;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.SplittableRandom;

/** Draws nodes and pods; everything follows from the seed. */
final class RandomWorld {
    private static final List<GpuModel> MODELS = List.of(
            GpuModel.of("nvidia", "T4", 15_360),
            GpuModel.of("nvidia", "A100", 81_920),
            GpuModel.of("amd", "MI300X", 196_608));
    private static final List<String> NAMES = List.of("hugepages-2Mi", "rdma/hca", "example.com/nic");
    private static final int POOLS = 40;

    private final SplittableRandom random;
    private int named;

    RandomWorld(SplittableRandom random) {
        this.random = random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A node under a name that no other has had. */
    Node node() {
        return node("n" + random.nextInt(100) + "-" + named++);
    }

    /** The hardware of this node again, with other labels, taints and perhaps cordoned. */
    Node relabelled(Node node) {
        Node.Builder builder = Node.builder(node.name())
                .mode(node.mode())
                .capacity(node.capacity())
                .maxPods(node.maxPods())
                .topology(node.topology())
                .cordoned(oneIn(10));
        node.gpus().forEach(builder::gpu);
        return dressed(builder, node.name()).build();
    }

    /** Any hardware under the name of a node. */
    Node refurbished(Node node) {
        return node(node.name());
    }

    private Node node(String name) {
        Node.Builder builder = Node.builder(name)
                .mode(any(List.of(NodeMode.MIXED, NodeMode.MIXED, NodeMode.EXCLUSIVE, NodeMode.SHARED)))
                .capacity(named(new Resources(16_000 + 1_000L * below(80), 65_536 + 1_024L * below(400)), 2, 64))
                .maxPods(oneIn(8) ? 3 : Node.DEFAULT_MAX_PODS)
                .topology(oneIn(3) ? Topology.NONE : Topology.of("rack", "r" + below(20)))
                .gpus(any(List.of(0, 1, 2, 4, 8)), any(MODELS));
        return dressed(builder, name).build();
    }

    private Node.Builder dressed(Node.Builder builder, String name) {
        builder.label("host", name).label("pool", "p" + below(POOLS)).label("generation", Integer.toString(below(9)));
        if (oneIn(6)) {
            builder.taint(Taint.noSchedule("team", "t" + below(POOLS)));
        }
        return builder;
    }

    /** A pod of one container under a name that no other has had. */
    Pod pod(List<Node> nodes) {
        return pod(new PodId("ns" + below(4), "p" + named++), resources(), request(), selector(nodes));
    }

    /** A pod of this shape under a name that no other has had. */
    Pod like(Pod pod) {
        return pod.withId(new PodId("ns" + below(4), "p" + named++));
    }

    private Pod pod(PodId id, Resources resources, GpuRequest request, NodeSelector selector) {
        Pod.Builder builder =
                Pod.builder(id.toString()).container("main", resources, request).nodeSelector(selector);
        if (oneIn(4)) {
            builder.toleration(Toleration.equal("team", "t" + below(POOLS)));
        }
        if (oneIn(20)) {
            builder.toleration(Toleration.everything());
        }
        return builder.build().withId(id);
    }

    private Resources resources() {
        return named(new Resources(500L * (1 + below(24)), 1_024L * (1 + below(32))), 12, 4);
    }

    /** These with some of the resources that go by name, one time in so many each. */
    private Resources named(Resources resources, int chances, int most) {
        Resources all = resources;
        for (String name : NAMES) {
            all = oneIn(chances) ? all.with(name, 1 + below(most)) : all;
        }
        return all;
    }

    private GpuRequest request() {
        return switch (below(8)) {
            case 0, 1 -> GpuRequest.exclusive(any(List.of(1, 1, 1, 2, 4, 8)));
            case 2, 3 -> GpuRequest.percent(any(List.of(10, 25, 30, 50, 70, 100)));
            case 4 -> GpuRequest.share(100 * below(8), GpuMemory.mib(1_024L * (1 + below(16))));
            case 5 -> GpuRequest.share(100 * (1 + below(5)), GpuMemory.none()).withCount(1 + below(3));
            case 6 -> oneIn(3) ? GpuRequest.wholeNode() : GpuRequest.exclusive(1);
            default -> GpuRequest.none();
        };
    }

    private NodeSelector selector(List<Node> nodes) {
        return switch (below(12)) {
            case 0 -> NodeSelector.all(NodeRequirement.in("pool", "p" + below(POOLS)));
            case 1 -> NodeSelector.all(NodeRequirement.in("host", any(nodes).name()));
            case 2 ->
                NodeSelector.all(new NodeRequirement(
                        "pool", NodeRequirement.Operator.NOT_IN, List.of("p" + below(POOLS), "p" + below(POOLS))));
            case 3 ->
                NodeSelector.all(
                        new NodeRequirement("generation", NodeRequirement.Operator.GT, List.of("" + below(9))),
                        NodeRequirement.exists("pool"));
            default -> NodeSelector.ANY;
        };
    }
}
