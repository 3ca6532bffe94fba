package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Random racks of up to 40 nodes, two in a zone, used to very different degrees, and random groups of up to 50 members of a few
 * shapes that want to be close: in one rack or zone, required or preferred, or in parts that each have a rack of their own. All
 * follows from the seed.
 */
public final class RackWorld {
    private final SplittableRandom random;
    private final Cluster cluster;

    /** The world of this seed. */
    public RackWorld(long seed) {
        this.random = new SplittableRandom(seed);
        List<Node> nodes = new ArrayList<>();
        int racks = 1 + random.nextInt(4);
        int kinds = 1 + random.nextInt(4);
        for (int rack = 0; rack < racks; rack++) {
            int size = 10 + random.nextInt(31);
            for (int n = 0; n < size; n++) {
                nodes.add(node(nodes.size(), rack, random.nextInt(kinds)));
            }
        }
        this.cluster = used(Cluster.of(nodes));
    }

    private static Node node(int number, int rack, int kind) {
        Node.Builder node = Node.builder("n%03d".formatted(number))
                .capacity(kind == 3 ? 6_000 : 16_000, 16_000)
                .topology(Topology.of("zone", "z" + rack / 2, "rack", "r" + rack));
        if (kind == 2) {
            for (int g = 0; g < 2; g++) {
                node.gpu(Gpu.of(g, "gpu-" + number + "-" + g, GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960))
                        .withPartitions(MigGeometry.A100_40GB.geometry()));
            }
            return node.build();
        }
        node.gpus(kind == 1 ? 4 : 2, kind == 3 ? Nodes.SMALL : Nodes.BIG).label("pool", "p" + number % 3);
        return (kind == 3 ? node.taint(Taint.noSchedule("team", "a")) : node).build();
    }

    /** From nearly empty to nearly full. */
    private Cluster used(Cluster empty) {
        GpuScheduler anywhere = GpuScheduler.of(BinPack.of());
        ClusterBatch batch = empty.batch();
        int most = random.nextInt(6);
        for (int n = 0; n < empty.size(); n++) {
            NodeState now = empty.node(n);
            for (int p = random.nextInt(most + 1); p > 0; p--) {
                Pod pod = shape(random.nextInt(6)).withId(PodId.of("running-" + n + "-" + p));
                Optional<Placement> place = anywhere.place(now, pod);
                if (place.isPresent()) {
                    batch.place(place.get());
                    now = now.with(place.get());
                }
            }
        }
        return batch.build();
    }

    /** The nodes and what runs on them. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns another group, which names its pods after itself. */
    public PodGroup group(String name) {
        List<Pod> shapes = new ArrayList<>();
        for (int s = random.nextInt(5); s >= 0; s--) {
            shapes.add(shape(random.nextInt(10)));
        }
        if (random.nextInt(4) == 0) {
            List<PodGroup> parts = new ArrayList<>();
            for (int part = random.nextInt(3); part >= 0; part--) {
                parts.add(flat(name + "-" + part, shapes, 25).withLocality(Locality.within("rack")));
            }
            PodGroup tree = PodGroup.ofGroups(name, parts);
            return random.nextBoolean() ? tree.withLocality(Locality.within("zone")) : tree;
        }
        return flat(name, shapes, 50).withLocality(locality());
    }

    private PodGroup flat(String name, List<Pod> shapes, int most) {
        List<Pod> pods = new ArrayList<>();
        for (int i = random.nextInt(most); i >= 0; i--) {
            pods.add(shapes.get(random.nextInt(shapes.size())).withId(PodId.of(name + "-" + i)));
        }
        return PodGroup.of(name, pods).withMinMember(random.nextBoolean() ? pods.size() : 1 + pods.size() / 2);
    }

    private Locality locality() {
        return switch (random.nextInt(5)) {
            case 0 -> Locality.within("zone");
            case 1 -> Locality.within("rack").preferred();
            case 2 -> Locality.within("zone").preferred();
            default -> Locality.within("rack");
        };
    }

    private Pod shape(int kind) {
        long cpuMillis = 100L * random.nextInt(20);
        GpuRequest gpu = switch (kind) {
            case 0 -> GpuRequest.exclusive(1);
            case 1 -> GpuRequest.partition(random.nextBoolean() ? "1g.5gb" : "2g.10gb", 1);
            case 2 -> GpuRequest.share(100 * random.nextInt(8), GpuMemory.mib(100));
            case 3 -> GpuRequest.none();
            case 4 -> GpuRequest.exclusive(2);
            case 5 -> GpuRequest.partition("1g.5gb", 2);
            case 6 -> GpuRequest.percent(30).withCount(2);
            default -> GpuRequest.percent(10 + random.nextInt(60));
        };
        Pod pod = Pod.of("any", Resources.of(cpuMillis, 100), gpu);
        boolean selects = random.nextInt(6) == 0;
        boolean tolerates = random.nextInt(6) == 0;
        boolean hasTwo = random.nextInt(10) == 0;
        List<Container> containers = hasTwo
                ? List.of(
                        Container.of("main", Resources.of(cpuMillis, 100), gpu),
                        Container.of("other", Resources.NONE, GpuRequest.percent(20)))
                : pod.containers();
        boolean hasPort = random.nextInt(8) == 0;
        Pod shape = new Pod(
                pod.id(),
                containers,
                selects ? NodeSelector.labels(Map.of("pool", "p" + random.nextInt(3))) : NodeSelector.ANY,
                tolerates ? List.of(Toleration.equal("team", "a")) : List.of());
        return hasPort ? shape.withRules(PodRules.NONE.withHostPorts(HostPort.tcp(80))) : shape;
    }
}
