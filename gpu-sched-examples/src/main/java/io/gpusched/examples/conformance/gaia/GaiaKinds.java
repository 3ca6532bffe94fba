package io.gpusched.examples.conformance.gaia;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.examples.conformance.Answers;
import io.gpusched.examples.conformance.CoreMemoryFixture;
import io.gpusched.examples.conformance.NodeFixture;
import io.gpusched.examples.conformance.VectorCase;
import io.gpusched.examples.conformance.VectorKind;
import io.gpusched.examples.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
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
            Optional<Placement> placed =
                    NodeFixture.place(DIALECT, node, pod("pod", vector.request().need("containers")));
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
        DialectScheduler scheduler = DialectScheduler.of(DIALECT);
        for (YamlNode pod : vector.request().need("pods").list()) {
            Optional<Placement> placed = schedule(scheduler, cluster, pod);
            placed.map(Placement::node).ifPresentOrElse(chosen::add, chosen::addNull);
            cluster = placed.isPresent() ? cluster.with(placed.get()) : cluster;
        }
        return answer;
    }

    private static Optional<Placement> schedule(DialectScheduler scheduler, Cluster cluster, YamlNode pod) {
        try {
            PodManifest manifest = pod(pod.need("name").text(), pod.need("containers"));
            return NodeFixture.placement(scheduler.schedule(cluster, manifest));
        } catch (RefusedException e) {
            return Optional.empty();
        }
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
