package io.gpusched.json;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Small clusters and requests of all kinds. */
final class RandomWorld {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4 \"quoted\" \u00e9", 15_360);
    private static final Taint TAINT = new Taint("team", "vision", Taint.Effect.NO_SCHEDULE);

    private final Random random;

    RandomWorld(Random random) {
        this.random = random;
    }

    private boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            nodes.add(node("n" + i));
        }
        Cluster cluster = Cluster.of(nodes);
        return oneIn(3) ? cluster.withNamespace("web", Map.of("tier", "gold")) : cluster;
    }

    private Node node(String name) {
        Node.Builder node = Node.builder(name)
                .mode(NodeMode.values()[random.nextInt(3)])
                .capacity(1_000 * random.nextInt(40), 1_024 * random.nextInt(40))
                .label("zone", "z" + random.nextInt(2));
        if (oneIn(2)) {
            node.topology(Topology.of("zone", "z" + random.nextInt(2), "rack", "r" + random.nextInt(2)));
        }
        if (oneIn(3)) {
            node.resource("rdma/hca", random.nextInt(3)).taint(TAINT).maxPods(random.nextInt(5));
        }
        int gpus = random.nextInt(5);
        for (int i = 0; i < gpus; i++) {
            node.gpu(gpu(name, i));
        }
        if (oneIn(3)) {
            node.links(GpuLinks.uniform(gpus, GpuLinks.Link.of(GpuLinks.Path.NODE, random.nextInt(5))));
        }
        return node.build();
    }

    private Gpu gpu(String node, int index) {
        String uuid = oneIn(5) ? "GPU-" + random.nextInt() : node + "-gpu-" + index;
        Gpu gpu = Gpu.of(index, uuid, oneIn(3) ? T4 : A100).withNumaNode(index / 2 - 1);
        gpu = oneIn(4) ? gpu.withPartitions(MigGeometry.A100_40GB.geometry()) : gpu;
        return oneIn(6) ? gpu.withSlots(2).withMemoryMib(10_000).withComputeMillis(2_000) : gpu;
    }

    /** Lets GPUs fail and cordons nodes, whatever runs there. */
    Cluster withAccidents(Cluster before) {
        Cluster cluster = before;
        for (NodeState node : before.nodes()) {
            cluster = oneIn(3) ? cluster.withCordoned(node.name(), true) : cluster;
            cluster = node.gpuCount() > 0 && oneIn(2) ? cluster.withGpuHealth(node.name(), 0, false) : cluster;
        }
        return cluster;
    }

    Pod pod(String name) {
        Pod.Builder pod = Pod.builder((oneIn(2) ? "web/" : "") + name);
        if (oneIn(6)) {
            pod.container("main", resources(), GpuRequest.wholeNode());
        } else {
            pod.container("main", resources(), gpus());
            if (oneIn(4)) {
                pod.container(Container.init("fetch", resources(), gpus()))
                        .container(Container.sidecar("log", resources(), GpuRequest.none()))
                        .overhead(Resources.of(10, 20));
            }
        }
        if (oneIn(3)) {
            pod.toleration(Toleration.equal("team", "vision")).toleration(Toleration.everything());
        }
        if (oneIn(3)) {
            pod.nodeSelector(NodeSelector.all(NodeRequirement.in("zone", "z0", "z1")));
        }
        return pod.rules(rules()).build();
    }

    private Resources resources() {
        Resources some = Resources.of(100 * random.nextInt(50), 100 * random.nextInt(50));
        return oneIn(5) ? some.with("rdma/hca", 1) : some;
    }

    private GpuRequest gpus() {
        return switch (random.nextInt(6)) {
            case 0 -> GpuRequest.none();
            case 1 -> GpuRequest.exclusive(1 + random.nextInt(4), selector());
            case 2 -> GpuRequest.percent(1 + random.nextInt(100));
            case 3 ->
                GpuRequest.share(random.nextInt(1_000), GpuMemory.mib(random.nextInt(20_000)))
                        .withCount(1 + random.nextInt(2))
                        .withSlots(1 + random.nextInt(2))
                        .withSelector(selector());
            case 4 -> GpuRequest.partition("1g.5gb", 1 + random.nextInt(3));
            default -> GpuRequest.firstOf(GpuRequest.exclusive(4), GpuRequest.percent(50));
        };
    }

    private GpuSelector selector() {
        return oneIn(3)
                ? GpuSelector.models("A100")
                        .withDeniedUuids(Set.of("n0-gpu-0", "n1-gpu-1"))
                        .withMinMemoryMib(10_000)
                        .withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE))
                : GpuSelector.ANY;
    }

    private PodRules rules() {
        PodRules rules = PodRules.NONE.withLabels(oneIn(2) ? Map.of("app", "a" + random.nextInt(2)) : Map.of());
        LabelSelector same = LabelSelector.label("app", "a0");
        if (oneIn(5)) {
            rules = rules.withAntiAffinity(PodAffinity.required(
                    new PodAffinity.Term(same, Set.of("web", "default"), Optional.of(LabelSelector.ALL), "zone")));
        }
        if (oneIn(5)) {
            rules = rules.withAffinity(
                    PodAffinity.preferred(new PodAffinity.Weighted(3, PodAffinity.Term.of(same, "zone"))));
        }
        if (oneIn(5)) {
            rules = rules.withSpread(TopologySpread.required("zone", 1, same))
                    .withHostPorts(HostPort.tcp(80), new HostPort(53, HostPort.Protocol.UDP, "10.0.0.1"))
                    .withPreferredNodes(
                            new NodePreference(1, new NodeSelector.Term(List.of(NodeRequirement.exists("zone")))));
        }
        return oneIn(9) ? rules.withNodeName("n0").withTerminating(true) : rules;
    }

    PodGroup group() {
        PodGroup group = members("g");
        if (oneIn(3)) {
            return PodGroup.ofGroups("all", List.of(group, members("h")))
                    .withMinGroups(1)
                    .withMinMember(1);
        }
        return group;
    }

    private PodGroup members(String name) {
        List<Pod> pods = new ArrayList<>();
        Pod first = pod(name + "-0");
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            pods.add(oneIn(3) ? pod(name + "-" + i) : Pod.of(name + "-" + i, resources(), GpuRequest.percent(20)));
        }
        pods.set(0, first);
        PodGroup group = PodGroup.of(name, pods).withMinMember(1 + random.nextInt(pods.size()));
        return switch (random.nextInt(4)) {
            case 0 -> group.withLocality(Locality.oneNode());
            case 1 -> group.withLocality(Locality.within("rack").preferred());
            case 2 -> group.withLocality(Locality.within("rack"));
            default -> group;
        };
    }
}
