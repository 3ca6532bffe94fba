package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a cluster in the library's own form: {@code nodes} and, under {@code running}, what runs on them. */
final class PlainCluster {
    private PlainCluster() {}

    static Cluster read(YamlNode document) {
        document.only("nodes", "running");
        List<Node> nodes = new ArrayList<>();
        document.need("nodes").list().forEach(node -> nodes.add(node(node)));
        OpenNodes machines = new OpenNodes(nodes, Map.of());
        Cluster cluster = document.need("nodes").build(machines::open);
        for (YamlNode pod : document.at("running").list()) {
            cluster = place(cluster, pod);
        }
        return machines.close(cluster);
    }

    private static Cluster place(Cluster cluster, YamlNode pod) {
        try {
            return cluster.with(running(cluster, pod));
        } catch (PlacementConflictException e) {
            throw pod.error(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static Node node(YamlNode node) {
        node.only(
                "name",
                "mode",
                "cpu",
                "memory",
                "resources",
                "maxPods",
                "labels",
                "taints",
                "topology",
                "gpus",
                "links",
                "cordoned");
        Node.Builder builder = node.build(() -> Node.builder(node.need("name").text()));
        builder.mode(mode(node.at("mode")));
        builder.capacity(Forms.resources(node));
        builder.maxPods(node.at("maxPods").integerOr(Node.DEFAULT_MAX_PODS));
        node.at("labels").build(() -> builder.labels(node.at("labels").texts()));
        node.at("taints").list().forEach(taint -> builder.taint(taint(taint)));
        node.at("topology").build(() -> builder.topology(topology(node.at("topology"))));
        builder.cordoned(node.at("cordoned").isTrue());
        gpus(node, builder);
        if (node.at("links").isPresent()) {
            builder.links(PlainLinks.read(node.at("links")));
        }
        return node.build(builder::build);
    }

    private static NodeMode mode(YamlNode mode) {
        return mode.isPresent() ? mode.oneOf(NodeMode.class) : NodeMode.MIXED;
    }

    private static Taint taint(YamlNode taint) {
        taint.only("key", "value", "effect");
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
            PlainGpus parsed = PlainGpus.read(kind, node.need("name").text(), index);
            parsed.gpus().forEach(builder::gpu);
            index += parsed.gpus().size();
        }
        checkUnhealthy(kinds, index);
    }

    /** GPUs are named by their index on the node, whichever entry names them. */
    private static void checkUnhealthy(List<YamlNode> kinds, int count) {
        for (YamlNode kind : kinds) {
            for (YamlNode gpu : kind.at("unhealthy").list()) {
                if (gpu.number() < 0 || gpu.number() >= count) {
                    throw gpu.error("must be in 0.." + (count - 1) + ", got " + gpu.number());
                }
            }
        }
    }

    private static Placement running(Cluster cluster, YamlNode pod) {
        pod.only("name", "node", "cpu", "memory", "resources", "whole", "shares", "partitions", "wholeNode", "group");
        String node = pod.need("node").text();
        Node machine = cluster.node(node)
                .orElseThrow(() -> pod.at("node").error("must be a node, got \"" + node + "\""))
                .node();
        GpuGrant grant = pod.build(() -> grant(pod, machine));
        return pod.build(() -> new Placement(
                        PodId.of(pod.need("name").text()),
                        node,
                        Forms.resources(pod),
                        List.of(ContainerGrant.of("main", grant)))
                .withGroup(group(pod.at("group"))));
    }

    private static Optional<GroupMembership> group(YamlNode group) {
        if (!group.isPresent()) {
            return Optional.empty();
        }
        group.only("name", "locality");
        Locality locality = PlainPods.locality(group.at("locality"));
        return Optional.of(
                group.build(() -> GroupMembership.of(group.need("name").text(), locality)));
    }

    private static GpuGrant grant(YamlNode pod, Node node) {
        Forms.atMostOne(pod, "whole", "shares", "partitions", "wholeNode");
        if (pod.at("wholeNode").isTrue()) {
            return new GpuGrant.WholeNode(node.gpus().size());
        }
        if (pod.at("whole").isPresent()) {
            return new GpuGrant.Whole(
                    pod.at("whole").list().stream().map(gpu -> gpu.integerOr(0)).toList());
        }
        if (pod.at("partitions").isPresent()) {
            return new GpuGrant.Partitions(pod.at("partitions").list().stream()
                    .map(PlainCluster::partition)
                    .sorted()
                    .toList());
        }
        List<GpuShare> shares = new ArrayList<>();
        for (YamlNode share : pod.at("shares").list()) {
            shares.add(share(share, node));
        }
        return shares.isEmpty() ? GpuGrant.none() : new GpuGrant.Shared(shares);
    }

    private static GpuPartition partition(YamlNode partition) {
        partition.only("gpu", "profile", "start", "mode");
        return partition.build(() -> new GpuPartition(
                partition.need("gpu").integerOr(0),
                partition.need("profile").text(),
                partition.at("start").integerOr(0),
                partition.at("mode").textOr("")));
    }

    private static GpuShare share(YamlNode share, Node node) {
        share.only("gpu", "percent", "computeMillis", "memory", "slots");
        Forms.atMostOne(share, "percent", "computeMillis");
        Forms.atMostOne(share, "percent", "memory");
        int gpu = share.need("gpu").integerOr(0);
        if (gpu < 0 || gpu >= node.gpus().size()) {
            throw share.at("gpu").error("must be in 0.." + (node.gpus().size() - 1) + ", got " + gpu);
        }
        int slots = share.at("slots").integerOr(1);
        if (!share.at("percent").isPresent()) {
            long mib = Forms.mibCeiling(share.at("memory"));
            return share.build(() -> new GpuShare(gpu, share.at("computeMillis").integerOr(0), mib, slots));
        }
        int percent = share.at("percent").integerOr(0);
        if (percent < 1 || percent > 100) {
            throw share.at("percent").error("must be in 1..100, got " + percent);
        }
        long mib = node.gpus().get(gpu).memoryMib() * percent / 100;
        return share.build(() -> new GpuShare(gpu, 10 * percent, mib, slots));
    }
}
