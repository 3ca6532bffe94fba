package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.GaiaGpuDialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of GaiaGPU's cases that ask its scheduler; its node agent's are in {@link GaiaTopologyKinds}. */
final class GaiaKinds {
    private static final String SYSTEM = "tkestack-gaia";
    private static final GaiaGpuDialect DIALECT = GaiaGpuDialect.of();

    private GaiaKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", GaiaKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", GaiaKinds::choose),
                VectorKind.comparing(SYSTEM, "sequence-nodes", GaiaKinds::nodes),
                VectorKind.comparing(SYSTEM, "topology-choose", GaiaTopologyKinds::choose),
                VectorKind.comparing(SYSTEM, "topology-sequence", GaiaTopologyKinds::sequence));
    }

    private static JsonNode choose(VectorCase vector) {
        NodeState node = Rig.node("node", devices(vector.given().need("gpus")));
        try {
            Optional<Placement> placed = DIALECT.rule()
                    .place(node, DIALECT.pod(pod("pod", vector.request().need("containers"))));
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
        List<List<Rig.Device>> devices = new ArrayList<>();
        for (Field node : vector.given().need("nodes").list()) {
            names.add(node.need("name").text());
            devices.add(devices(node.need("gpus")));
        }
        Cluster cluster = Rig.cluster(names, devices);
        ObjectNode answer = Answers.object();
        ArrayNode chosen = answer.putArray("nodes");
        for (Field pod : vector.request().need("pods").list()) {
            Optional<Placement> placed = schedule(cluster, pod);
            placed.map(Placement::node).ifPresentOrElse(chosen::add, chosen::addNull);
            cluster = placed.isPresent() ? cluster.with(placed.get()) : cluster;
        }
        return answer;
    }

    private static Optional<Placement> schedule(Cluster cluster, Field pod) {
        try {
            PodManifest manifest = pod(pod.need("name").text(), pod.need("containers"));
            Decision decision = DIALECT.rule().schedule(cluster, DIALECT.pod(manifest));
            return decision instanceof Placed placed ? Optional.of(placed.placement()) : Optional.empty();
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private static List<Rig.Device> devices(Field gpus) {
        return gpus.list().stream()
                .map(gpu -> CoreMemoryRig.device(gpu, GaiaGpuDialect.BLOCK_MIB))
                .toList();
    }

    private static PodManifest pod(String name, Field list) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Field container : list.list()) {
            long core = container.at("core").numberOr(0);
            long memory = container.at("mem").numberOr(0);
            containers.add(container("c" + containers.size(), core, memory));
        }
        return PodManifest.of(name, containers);
    }

    static ContainerManifest container(String name, long core, long blocks) {
        Map<String, String> limits = new HashMap<>();
        limits.put(GaiaGpuDialect.CORE, "" + core);
        limits.put(GaiaGpuDialect.MEMORY, "" + blocks);
        return ContainerManifest.limits(name, limits);
    }
}
