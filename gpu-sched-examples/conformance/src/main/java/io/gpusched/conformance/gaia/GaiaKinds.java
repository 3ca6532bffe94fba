package io.gpusched.conformance.gaia;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.CoreMemoryFixture;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.GreedyLayout;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.DeviceOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of GaiaGPU's cases that ask its scheduler; its node agent's are in {@link GaiaTopologyKinds}. */
public final class GaiaKinds {
    private static final String SYSTEM = "tkestack-gaia";
    private static final GaiaGpuDialect DIALECT = GaiaGpuDialect.of();

    private GaiaKinds() {}

    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", GaiaKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", GaiaKinds::choose),
                VectorKind.comparing(SYSTEM, "sequence-nodes", GaiaKinds::nodes),
                VectorKind.comparing(SYSTEM, "topology-choose", GaiaTopologyKinds::choose),
                VectorKind.comparing(SYSTEM, "topology-sequence", GaiaTopologyKinds::sequence));
    }

    private static JsonNode choose(VectorCase vector) {
        NodeState node = NodeFixture.node("node", devices(vector.given().need("gpus")));
        try {
            PodManifest pod = pod("pod", vector.request().need("containers"));
            Optional<Placement> placed = NodeFixture.place(DIALECT, node, pod);
            if (placed.isPresent() && !isPlacedByGaia(node, pod)) {
                return vector.isDefect()
                        ? Answers.departing(Answers.fits(true), "placed here, on GPUs that are free for it")
                        : Answers.emulated(Answers.fits(false));
            }
            ObjectNode answer = Answers.fits(placed.isPresent());
            placed.ifPresent(placement -> {
                answer.set("gpusPerContainer", Answers.gpusPerContainer(placement));
                ObjectNode booked = answer.putObject("memBooked");
                NodeState after = node.with(placement);
                placement
                        .gpus()
                        .forEach(gpu -> booked.put(
                                String.valueOf(gpu),
                                (node.freeMemoryMib(gpu) - after.freeMemoryMib(gpu)) / GaiaGpuDialect.BLOCK_MIB));
            });
            return answer;
        } catch (RefusedException e) {
            return Answers.refused(e.rule());
        }
    }

    /** GaiaGPU gives GPUs to one container after the other, so it refuses pods that fit. */
    private static boolean isPlacedByGaia(NodeState node, PodManifest pod) {
        DeviceOrder order = DIALECT.policy().deviceOrder().orElseThrow();
        return GreedyLayout.of(order).fits(node, DIALECT.pod(pod));
    }

    private static JsonNode nodes(VectorCase vector) {
        List<String> names = new ArrayList<>();
        List<List<NodeFixture.Device>> devices = new ArrayList<>();
        for (YamlNode node : vector.given().need("nodes").list()) {
            names.add(node.need("name").text());
            devices.add(devices(node.need("gpus")));
        }
        Cluster cluster = NodeFixture.cluster(names, devices);
        ObjectNode answer = Answers.object();
        ArrayNode chosen = answer.putArray("nodes");
        for (YamlNode pod : vector.request().need("pods").list()) {
            Optional<Placement> exact = schedule(cluster, pod);
            Optional<Placement> placed = vector.isDefect() ? exact : scheduleAsGaia(cluster, pod);
            if (!placed.equals(exact)) {
                Answers.emulated(answer);
            }
            placed.map(Placement::node).ifPresentOrElse(chosen::add, chosen::addNull);
            cluster = placed.isPresent() ? cluster.with(placed.get()) : cluster;
        }
        return answer;
    }

    private static Optional<Placement> schedule(Cluster cluster, YamlNode pod) {
        try {
            return NodeFixture.placement(DialectScheduler.of(DIALECT).schedule(cluster, manifest(pod)));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    /** The exact choice among the nodes on which GaiaGPU finds a way, too. */
    private static Optional<Placement> scheduleAsGaia(Cluster cluster, YamlNode pod) {
        Cluster left = cluster;
        Optional<Placement> placed = schedule(left, pod);
        while (placed.isPresent()
                && !isPlacedByGaia(left.node(placed.get().node()).orElseThrow(), manifest(pod))) {
            left = left.withCordoned(placed.get().node(), true);
            placed = schedule(left, pod);
        }
        return placed;
    }

    private static PodManifest manifest(YamlNode pod) {
        return pod(pod.need("name").text(), pod.need("containers"));
    }

    private static List<NodeFixture.Device> devices(YamlNode gpus) {
        return gpus.list().stream()
                .map(gpu -> CoreMemoryFixture.device(gpu, GaiaGpuDialect.BLOCK_MIB))
                .toList();
    }

    private static PodManifest pod(String name, YamlNode list) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : list.list()) {
            long core = container.at("core").numberOr(0);
            long memory = container.at("mem").numberOr(0);
            containers.add(container("c" + containers.size(), core, memory));
        }
        return PodManifest.of(name, containers);
    }

    public static ContainerManifest container(String name, long core, long blocks) {
        Map<String, String> limits = new HashMap<>();
        limits.put(GaiaGpuDialect.CORE, "" + core);
        limits.put(GaiaGpuDialect.MEMORY, "" + blocks);
        return ContainerManifest.limits(name, limits);
    }
}
