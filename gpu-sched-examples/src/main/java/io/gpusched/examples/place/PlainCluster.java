package io.gpusched.examples.place;

import io.gpusched.dialect.Quantity;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;

/** Reads a cluster in the library's own form: {@code nodes} and, under {@code running}, what runs on them. */
final class PlainCluster {
    private PlainCluster() {}

    static Cluster read(YamlNode document) {
        document.only("nodes", "running");
        List<Node> nodes = new ArrayList<>();
        document.need("nodes").list().forEach(node -> nodes.add(node(node)));
        Cluster cluster = document.need("nodes").build(() -> Cluster.of(nodes));
        for (YamlNode pod : document.at("running").list()) {
            cluster = place(cluster, pod);
        }
        return cluster;
    }

    private static Cluster place(Cluster cluster, YamlNode pod) {
        try {
            return cluster.with(running(cluster, pod));
        } catch (PlacementConflictException e) {
            throw pod.error(String.valueOf(e.getMessage()));
        }
    }

    private static Node node(YamlNode node) {
        node.only("name", "mode", "cpu", "memory", "maxPods", "labels", "taints", "topology", "gpus", "cordoned");
        Node.Builder builder = node.build(() -> Node.builder(node.need("name").text()));
        builder.mode(mode(node.at("mode")));
        Resources capacity = resources(node);
        builder.capacity(capacity.cpuMillis(), capacity.memoryMib());
        builder.maxPods(node.at("maxPods").integerOr(Node.DEFAULT_MAX_PODS));
        node.at("labels").build(() -> builder.labels(node.at("labels").texts()));
        node.at("taints").list().forEach(taint -> builder.taint(taint(taint)));
        node.at("topology").build(() -> builder.topology(topology(node.at("topology"))));
        builder.cordoned(node.at("cordoned").isTrue());
        gpus(node, builder);
        return node.build(builder::build);
    }

    private static NodeMode mode(YamlNode mode) {
        return mode.isPresent() ? mode.oneOf(NodeMode.class) : NodeMode.MIXED;
    }

    /** Reads {@code cpu} (cores or milli, {@code 4} or {@code 500m}) and {@code memory} (bytes, {@code 16Gi}). */
    static Resources resources(YamlNode node) {
        YamlNode cpu = node.at("cpu");
        YamlNode memory = node.at("memory");
        long millis = cpu.build(() -> Quantity.parse(cpu.textOr("0")).millis());
        long mib = memory.build(() -> Quantity.parse(memory.textOr("0")).mibCeiling());
        return node.build(() -> Resources.of(millis, mib));
    }

    static Taint taint(YamlNode taint) {
        YamlNode effect = taint.at("effect");
        Taint.Effect parsed = effect.isPresent() ? effect.oneOf(Taint.Effect.class) : Taint.Effect.NO_SCHEDULE;
        return taint.build(
                () -> new Taint(taint.need("key").text(), taint.at("value").textOr(""), parsed));
    }

    private static Topology topology(YamlNode topology) {
        List<String> path = new ArrayList<>();
        topology.texts().forEach((level, name) -> {
            path.add(level);
            path.add(name);
        });
        return Topology.of(path.toArray(String[]::new));
    }

    private static void gpus(YamlNode node, Node.Builder builder) {
        YamlNode gpus = node.at("gpus");
        List<YamlNode> kinds = gpus.members() != null ? List.of(gpus) : gpus.list();
        int index = 0;
        for (YamlNode kind : kinds) {
            kind.only("count", "model", "vendor", "memory", "slots", "numa", "uuids", "unhealthy");
            int count = kind.at("count").integerOr(1);
            long mib = kind.at("memory")
                    .build(() -> Quantity.parse(kind.at("memory").textOr("0")).mibFloor());
            GpuModel model = kind.build(() -> GpuModel.of(
                    kind.at("vendor").textOr("nvidia"), kind.at("model").textOr("gpu"), mib));
            List<String> uuids = kind.at("uuids").textList();
            List<String> sick = kind.at("unhealthy").textList();
            for (int i = 0; i < count; i++, index++) {
                int at = index;
                String uuid =
                        i < uuids.size() ? uuids.get(i) : node.need("name").text() + "-gpu-" + index;
                builder.gpu(kind.build(() -> Gpu.of(at, uuid, model)
                        .withSlots(kind.at("slots").integerOr(Gpu.DEFAULT_SLOTS))
                        .withNumaNode(kind.at("numa").integerOr(-1))
                        .withHealthy(!sick.contains(String.valueOf(at)))));
            }
        }
    }

    private static Placement running(Cluster cluster, YamlNode pod) {
        pod.only("name", "node", "cpu", "memory", "whole", "shares", "wholeNode");
        String node = pod.need("node").text();
        Node machine = cluster.node(node)
                .orElseThrow(() -> pod.at("node").error("must be a node, got \"" + node + "\""))
                .node();
        GpuGrant grant = pod.build(() -> grant(pod, machine));
        return pod.build(() -> new Placement(
                PodId.of(pod.need("name").text()),
                node,
                resources(pod),
                List.of(new ContainerGrant("main", false, grant))));
    }

    private static GpuGrant grant(YamlNode pod, Node node) {
        if (pod.at("wholeNode").isTrue()) {
            return new GpuGrant.WholeNode(node.gpus().size());
        }
        if (pod.at("whole").isPresent()) {
            return new GpuGrant.Whole(
                    pod.at("whole").list().stream().map(gpu -> gpu.integerOr(0)).toList());
        }
        List<GpuShare> shares = new ArrayList<>();
        for (YamlNode share : pod.at("shares").list()) {
            shares.add(share(share, node));
        }
        return shares.isEmpty() ? GpuGrant.none() : new GpuGrant.Shared(shares);
    }

    private static GpuShare share(YamlNode share, Node node) {
        share.only("gpu", "percent", "computeMillis", "memory", "slots");
        int gpu = (int) share.need("gpu").number();
        int slots = share.at("slots").integerOr(1);
        if (share.at("percent").isPresent()) {
            if (gpu < 0 || gpu >= node.gpus().size()) {
                throw share.at("gpu").error("must be in 0.." + (node.gpus().size() - 1) + ", got " + gpu);
            }
            int percent = share.at("percent").integerOr(0);
            long mib = node.gpus().get(gpu).memoryMib() * percent / 100;
            return share.build(() -> new GpuShare(gpu, 10 * percent, mib, slots));
        }
        long mib = share.at("memory")
                .build(() -> Quantity.parse(share.at("memory").textOr("0")).mibCeiling());
        return share.build(() -> new GpuShare(gpu, share.at("computeMillis").integerOr(0), mib, slots));
    }
}
