package io.gpusched.json;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
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
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster with one of everything. */
final class Samples {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);
    static final Resources SMALL = Resources.of(1_000, 1_024);
    private static final String HOST = "kubernetes.io/hostname";

    private Samples() {}

    /** Each node has something that no other has. */
    static List<Node> nodes() {
        GpuLinks.Path pix = GpuLinks.Path.PIX;
        GpuLinks.Link nvlink = GpuLinks.Link.of(GpuLinks.Path.NODE, 4);
        GpuLinks.Link none = GpuLinks.Link.NONE;
        Node linked = Node.builder("linked")
                .mode(NodeMode.EXCLUSIVE)
                .capacity(64_000, 262_144)
                .gpu(Gpu.of(0, "GPU-a", A100).withNumaNode(0))
                .gpu(Gpu.of(1, "GPU-b", A100).withNumaNode(1).withHealthy(false))
                .links(GpuLinks.of(
                        List.of(List.of(none, nvlink), List.of(nvlink, none)),
                        List.of(new GpuLinks.Nic("mlx5_0", 0, List.of(pix, GpuLinks.Path.SYS)))))
                .topology(new Topology(List.of(new Topology.Domain("zone", "z1"), new Topology.Domain("rack", "r1"))))
                .label(HOST, "linked")
                .build();
        Node cut = Node.builder("cut")
                .mode(NodeMode.MIXED)
                .capacity(64_000, 262_144)
                .gpu(Gpu.of(0, "GPU-c", A100).withPartitions(MigGeometry.A100_40GB.geometry()))
                .gpu(Gpu.of(1, "GPU-d", A100).withPartitions(halves()))
                .taint(new Taint("team", "vision", Taint.Effect.NO_SCHEDULE))
                .label(HOST, "cut")
                .build();
        Node shared = Node.builder("shared")
                .mode(NodeMode.SHARED)
                .capacity(64_000, 262_144)
                .resource("rdma/hca", 4)
                .maxPods(7)
                .cordoned(true)
                .gpu(Gpu.of(0, "GPU-e", A100).withSlots(10).withComputeMillis(900))
                .resident(placed("kube-system/agent", "shared", SMALL, GpuRequest.none(), GpuGrant.none()))
                .label(HOST, "shared")
                .build();
        Node taken = Node.builder("taken")
                .mode(NodeMode.EXCLUSIVE)
                .capacity(64_000, 262_144)
                .gpus(2, A100)
                .label(HOST, "taken")
                .build();
        return List.of(linked, cut, shared, taken);
    }

    private static Placement placed(String name, String node, Resources resources, GpuRequest asked, GpuGrant held) {
        Pod pod = Pod.of(name, resources, asked);
        return new Placement(pod.id(), node, resources, List.of(ContainerGrant.of("main", held))).withSpec(pod.spec());
    }

    static Cluster cluster() {
        PodAffinity.Term alone = new PodAffinity.Term(
                new LabelSelector(List.of(new LabelSelector.Requirement(
                        "app", LabelSelector.Operator.NOT_IN, List.of("cache", "proxy")))),
                Set.of("web"),
                Optional.of(LabelSelector.label("tier", "gold")),
                HOST);
        PodRules rules = PodRules.NONE
                .withLabels(Map.of("app", "server"))
                .withAntiAffinity(new PodAffinity(List.of(alone), List.of()))
                .withAffinity(PodAffinity.preferred(
                        new PodAffinity.Weighted(7, PodAffinity.Term.of(LabelSelector.ALL, HOST))))
                .withSpread(TopologySpread.preferred("zone", 2, LabelSelector.label("app", "server")))
                .withHostPorts(new HostPort(8080, HostPort.Protocol.UDP, "10.0.0.1"))
                .withPreferredNodes(
                        new NodePreference(3, new NodeSelector.Term(List.of(NodeRequirement.exists("gpu")))))
                .withNodeName("linked");
        GpuSelector choosy = GpuSelector.models("A100")
                .withDeniedUuids(Set.of("GPU-b"))
                .withMinMemoryMib(10_000)
                .withAffinity(GpuAffinity.preferring(GpuAffinity.Bond.NUMA_NODE));
        Pod server = Pod.builder("web/server")
                .container("main", SMALL, GpuRequest.exclusive(1, choosy))
                .container(Container.init("fetch", SMALL, GpuRequest.none()))
                .nodeSelector(NodeSelector.all(NodeRequirement.in(HOST, "linked", "taken")))
                .toleration(Toleration.equal("team", "vision"))
                .toleration(Toleration.everything())
                .overhead(Resources.of(100, 64))
                .rules(rules)
                .build();
        GpuRequest choice = GpuRequest.firstOf(
                GpuRequest.share(400, GpuMemory.percent(30)).withSlots(2), GpuRequest.partition("1g.5gb", 1));
        List<Placement> held = List.of(
                new GpuHolder(server, "linked").whole(0),
                placed("web/part", "cut", SMALL, GpuRequest.partition("3g.20gb", 1), part(1, "3g.20gb", 4)),
                placed("web/small", "cut", SMALL, choice, part(0, "1g.5gb", 6)),
                placed("web/all", "taken", SMALL, GpuRequest.wholeNode(), new GpuGrant.WholeNode(2)),
                new Placement(new PodId("web", "unknown"), "cut", SMALL, List.of()));
        return Cluster.of(nodes(), held).withNamespace("web", Map.of("tier", "gold"));
    }

    private static GpuGrant part(int gpu, String profile, int start) {
        return new GpuGrant.Partitions(List.of(GpuPartition.of(gpu, profile, start)));
    }

    private record GpuHolder(Pod pod, String node) {
        Placement whole(int gpu) {
            return new Placement(
                            pod.id(),
                            node,
                            pod.resources(),
                            List.of(
                                    ContainerGrant.of("main", new GpuGrant.Whole(List.of(gpu))),
                                    ContainerGrant.of("fetch", GpuGrant.none())))
                    .withSpec(pod.spec());
        }
    }

    /** An A100 that an administrator has cut in two. */
    private static PartitionGeometry halves() {
        PartitionGeometry all = MigGeometry.A100_40GB.geometry();
        return PartitionGeometry.of(
                        all.name(),
                        all.gridUnits(),
                        all.totals(),
                        all.profiles().stream()
                                .filter(profile -> profile.name().equals("3g.20gb"))
                                .toList())
                .withAlwaysCut(true);
    }
}
