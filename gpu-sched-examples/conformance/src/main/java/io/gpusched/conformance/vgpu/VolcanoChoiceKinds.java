package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.VolcanoGreedy;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Volcano's cases in which GPUs are chosen. */
final class VolcanoChoiceKinds {
    static final String SYSTEM = "volcano-deviceshare";

    private VolcanoChoiceKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.of(SYSTEM, "choose-one-container", vector -> VgpuJson.compare(vector, choose(vector))),
                VectorKind.of(SYSTEM, "fits", vector -> VgpuJson.compare(vector, choose(vector))),
                VectorKind.of(SYSTEM, "sequence", vector -> VgpuJson.compare(vector, sequence(vector))),
                VectorKind.of(SYSTEM, "sequence-groups", vector -> VgpuJson.compare(vector, sequence(vector))),
                VectorKind.of(SYSTEM, "gpu-score", vector -> VgpuJson.compare(vector, score(vector))));
    }

    private static VolcanoPolicy policy(VectorCase vector) {
        return VolcanoPolicy.parse(vector.request().at("policy").textOr(""));
    }

    private static JsonNode score(VectorCase vector) {
        return VgpuJson.object()
                .put("score", policy(vector).score(VgpuJson.gpu(vector.given().need("gpu"), 0)));
    }

    /** Without any figure for memory a container gets the whole memory of its GPUs; a percentage counts before an amount. */
    private static VgpuRequest request(YamlNode container) {
        VgpuRequest request = VgpuJson.request(container);
        return request.memoryMib() > 0 && request.memoryPercent().isEmpty()
                ? request
                : new VgpuRequest(
                        request.count(),
                        request.type(),
                        0,
                        OptionalInt.of(request.memoryPercent().orElse(100)),
                        request.cores());
    }

    private static JsonNode choose(VectorCase vector) {
        Map<String, String> annotations = VgpuJson.annotations(vector.request().at("annotations"));
        List<VgpuDevice> gpus = VgpuJson.gpus(vector.given().need("gpus"));
        VolcanoLibrary.Choice answer = new VolcanoLibrary(policy(vector), annotations, gpus).place(containers(vector));
        VolcanoGreedy.OnNode placed = answer.onNode();
        ObjectNode json = VgpuJson.object().put("fits", placed.fits());
        if (answer.byEmulation()) {
            Answers.emulated(json);
        }
        if (!placed.fits()) {
            return json.put("reason", placed.refusal());
        }
        List<VgpuShare> shares =
                placed.containers().stream().flatMap(List::stream).toList();
        shares.stream().findFirst().ifPresent(share -> json.put("gpu", share.gpu()));
        json.put("score", placed.score()).set("gpus", VgpuJson.ids(shares));
        json.set("booked", VgpuJson.write(shares));
        json.set("memMiBPerGpu", memoryByIndex(gpus, shares));
        return json;
    }

    private static List<Optional<VgpuRequest>> containers(VectorCase vector) {
        YamlNode containers = vector.request().at("containers");
        return containers.isPresent()
                ? containers.list().stream()
                        .map(container ->
                                container.isPresent() ? Optional.of(request(container)) : Optional.<VgpuRequest>empty())
                        .toList()
                : List.of(Optional.of(request(vector.request().need("container"))));
    }

    private static ArrayNode memoryByIndex(List<VgpuDevice> gpus, List<VgpuShare> shares) {
        ArrayNode memory = VgpuJson.JSON.arrayNode();
        for (VgpuDevice gpu : gpus) {
            shares.stream()
                    .filter(share -> share.gpu().equals(gpu.id()))
                    .forEach(share -> memory.add(share.memoryMib()));
        }
        return memory;
    }

    /** Pods one after the other on one node; each may belong to a group that keeps its pods on different GPUs. */
    private static JsonNode sequence(VectorCase vector) {
        List<VgpuDevice> gpus = VgpuJson.gpus(vector.given().need("gpus"));
        Cluster cluster = VgpuFixture.of(Node.builder("node").build(), gpus);
        Map<PodId, String> groups = new HashMap<>();
        List<Optional<String>> chosen = new ArrayList<>();
        for (YamlNode pod : vector.request().need("pods").list()) {
            Map<String, String> annotations = annotations(pod);
            YamlNode container = pod.has("container") ? pod.at("container") : pod;
            PodManifest manifest =
                    VolcanoLibrary.pod("pod-" + chosen.size(), annotations, List.of(Optional.of(request(container))));
            VolcanoDialect dialect = VolcanoDialect.of(policy(vector)).withGroups(groups);
            Optional<Placement> placed =
                    NodeFixture.placement(DialectScheduler.of(dialect).schedule(cluster, manifest));
            cluster = placed.isPresent() ? cluster.with(placed.get()) : cluster;
            VolcanoPodRules.of("default", annotations).group().ifPresent(group -> groups.put(manifest.id(), group));
            chosen.add(placed.map(found -> gpus.get(found.gpus().get(0)).id()));
        }
        return summary(chosen);
    }

    private static Map<String, String> annotations(YamlNode pod) {
        Map<String, String> annotations = VgpuJson.annotations(pod.at("annotations"));
        pod.at("podGroup").optional().ifPresent(group -> annotations.put("scheduling.k8s.io/group-name", group.text()));
        if (pod.at("spreadWithinGroup").isTrueOr(false)) {
            annotations.put(VolcanoPodRules.GROUP_POLICY, "spread");
        }
        return annotations;
    }

    private static JsonNode summary(List<Optional<String>> chosen) {
        List<String> placed = chosen.stream().flatMap(Optional::stream).toList();
        Set<String> distinct = new HashSet<>(placed);
        ObjectNode json = VgpuJson.object()
                .put("allFit", placed.size() == chosen.size())
                .put("sameGpu", placed.size() == chosen.size() && distinct.size() == 1)
                .put("distinctGpus", placed.size() == chosen.size() && distinct.size() == placed.size());
        ArrayNode fits = json.putArray("fits");
        ArrayNode gpus = json.putArray("gpus");
        chosen.forEach(gpu -> {
            fits.add(gpu.isPresent());
            gpus.add(gpu.orElse(null));
        });
        return json;
    }
}
