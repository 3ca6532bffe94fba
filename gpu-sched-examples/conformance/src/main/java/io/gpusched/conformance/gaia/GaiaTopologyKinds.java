package io.gpusched.conformance.gaia;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.emulation.GaiaTopology;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The kinds of GaiaGPU's cases that ask its node agent. */
final class GaiaTopologyKinds {
    private GaiaTopologyKinds() {}

    static JsonNode choose(VectorCase vector) {
        GaiaTopology topology = topology(vector.given().need("links"));
        NodeState node = node(topology.size(), vector.given().at("coreUsed"));
        int core = vector.request().need("core").integer();
        YamlNode mode = vector.request().need("mode");
        List<Integer> gpus = switch (mode.text()) {
            case "link" -> topology.link(idle(node), core / 100);
            case "fragment" -> topology.fragment(idle(node), core / 100);
            case "share" -> share(node, core);
            default -> throw mode.error("must be link, fragment or share");
        };
        ObjectNode answer = Answers.object();
        answer.set("gpus", gpus.isEmpty() ? answer.nullNode() : Answers.numbers(gpus));
        return mode.text().equals("share") ? answer : Answers.emulated(answer);
    }

    private static GaiaTopology topology(YamlNode links) {
        List<List<String>> matrix = new ArrayList<>();
        links.list()
                .forEach(row ->
                        matrix.add(row.list().stream().map(YamlNode::text).toList()));
        try {
            return GaiaTopology.parse(matrix);
        } catch (IllegalArgumentException e) {
            throw links.error(String.valueOf(e.getMessage()));
        }
    }

    private static NodeState node(int gpus, YamlNode coreUsed) {
        Map<Integer, Integer> used = new TreeMap<>();
        coreUsed.map().forEach((gpu, core) -> used.put(Integer.valueOf(gpu), Math.min(100, core.integer())));
        List<NodeFixture.Device> devices = new ArrayList<>();
        for (int g = 0; g < gpus; g++) {
            devices.add(new NodeFixture.Device(GaiaGpuDialect.BLOCK_MIB * 100L, 10 * used.getOrDefault(g, 0), 0, true));
        }
        return NodeFixture.node("node", devices);
    }

    private static Set<Integer> idle(NodeState node) {
        Set<Integer> idle = new TreeSet<>();
        for (int g = 0; g < node.gpuCount(); g++) {
            if (node.isIdle(g)) {
                idle.add(g);
            }
        }
        return idle;
    }

    private static List<Integer> share(NodeState node, int core) {
        GaiaGpuDialect dialect = GaiaGpuDialect.of();
        PodManifest pod = PodManifest.of("pod", List.of(GaiaKinds.container("main", core, 1)));
        return NodeFixture.place(dialect, node, pod).map(Placement::gpus).orElse(List.of());
    }

    /** Books what predicate annotations say, pod by pod; the snapshot refuses what is not free. */
    static JsonNode sequence(VectorCase vector) {
        NodeState node = node(
                topology(vector.given().need("links")).size(), vector.given().at("coreUsed"));
        boolean accepted = true;
        for (YamlNode event : vector.request().need("events").list()) {
            try {
                node = event.has("delete") ? delete(node, event.at("delete")) : add(node, event);
            } catch (PlacementConflictException e) {
                accepted = false;
            }
        }
        ObjectNode answer = Answers.object().put("allEventsAccepted", accepted);
        ArrayNode free = answer.putArray("coreFreeAtEnd");
        for (int g = 0; g < node.gpuCount(); g++) {
            free.add(node.freeComputeMillis(g) / 10);
        }
        return answer;
    }

    private static NodeState delete(NodeState node, YamlNode pod) {
        return node.placement(PodId.of(pod.text()))
                .map(node::without)
                .orElseThrow(
                        () -> new PlacementConflictException(null, null, "pod", "pod " + pod.text() + " does not run"));
    }

    private static NodeState add(NodeState node, YamlNode event) {
        List<ContainerGrant> grants = new ArrayList<>();
        for (YamlNode container : event.need("containers").list()) {
            List<Integer> gpus = container.need("gpus").list().stream()
                    .map(YamlNode::integer)
                    .sorted()
                    .toList();
            int core = container.need("core").integer();
            GpuGrant grant = core >= 100
                    ? new GpuGrant.Whole(gpus)
                    : new GpuGrant.Shared(gpus.stream()
                            .map(gpu -> new GpuShare(gpu, 10 * core, 0, 1))
                            .toList());
            grants.add(ContainerGrant.of("c" + grants.size(), grant));
        }
        return node.with(new Placement(PodId.of(event.need("pod").text()), "node", Resources.NONE, grants));
    }
}
