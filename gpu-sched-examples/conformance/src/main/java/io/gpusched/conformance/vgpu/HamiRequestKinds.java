package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** HAMi's cases of what requests and annotations mean. */
final class HamiRequestKinds {
    private HamiRequestKinds() {}

    static List<VectorKind> all() {
        return List.of(
                kind("request-parse", HamiRequestKinds::parse),
                kind("admission", HamiRequestKinds::admission),
                kind(
                        "type-selector",
                        vector -> allowed(selector(vector)
                                .acceptsType(vector.given().need("cardType").text()))),
                kind(
                        "uuid-selector",
                        vector -> allowed(selector(vector)
                                .acceptsUuid(vector.given().need("gpuId").text()))),
                kind(
                        "mode-selector",
                        vector -> allowed(HamiPodRules.of(VgpuJson.annotations(vector.request()))
                                .acceptsMode(vector.given().at("gpuMode").textOr("")))),
                kind(
                        "flag-parse",
                        vector -> VgpuJson.object()
                                .put(
                                        "enforced",
                                        HamiPodRules.of(VgpuJson.annotations(vector.request()))
                                                .numaBind())),
                kind("init-collapse", HamiRequestKinds::collapse),
                kind(
                        "codec",
                        vector -> VgpuJson.object()
                                .put(
                                        "annotation",
                                        VgpuCodec.encodeHami(VgpuJson.containers(
                                                vector.given().need("containers"))))),
                kind(
                        "codec-decode",
                        vector -> decoded(vector.given().need("annotation").text())));
    }

    private static VectorKind kind(String name, Function<VectorCase, JsonNode> answer) {
        return VectorKind.of(HamiFitKinds.SYSTEM, name, vector -> VgpuJson.compare(vector, answer.apply(vector)));
    }

    static JsonNode allowed(boolean value) {
        return VgpuJson.object().put("allowed", value);
    }

    static VgpuSelector selector(VectorCase vector) {
        return VgpuSelector.of(
                vector.request().at("use").optional().map(YamlNode::text).orElse(null),
                vector.request().at("nouse").optional().map(YamlNode::text).orElse(null));
    }

    /** Reads requests as HAMi's scheduler does, out-of-range percentages included. */
    private static JsonNode parse(VectorCase vector) {
        YamlNode config = vector.given().at("config");
        HamiSettings settings = HamiSettings.DEFAULT
                .withDefaults(
                        config.at("memoryFactor").integerOr(1),
                        config.at("defaultMemoryMiB").numberOr(0),
                        config.at("defaultCores").integerOr(0))
                .withLenient(true);
        try {
            return written(HamiDialect.of(settings).read(container(vector)));
        } catch (IllegalArgumentException e) {
            return VgpuJson.object().put("error", e.getMessage());
        }
    }

    static JsonNode written(Optional<VgpuRequest> request) {
        ObjectNode json = VgpuJson.object();
        if (request.isEmpty()) {
            return json.put("empty", true);
        }
        json.put("count", request.get().count())
                .put("memMiB", request.get().memoryMib())
                .put("corePercent", request.get().cores());
        request.get().memoryPercent().ifPresent(percent -> json.put("memPercent", percent));
        return json;
    }

    static Map<String, String> limits(VectorCase vector) {
        return vector.request().at("limits").texts();
    }

    static Map<String, String> requests(VectorCase vector) {
        return vector.request().at("requests").texts();
    }

    private static ContainerManifest container(VectorCase vector) {
        return new ContainerManifest("main", ContainerKind.ORDINARY, requests(vector), limits(vector));
    }

    private static JsonNode admission(VectorCase vector) {
        HamiDialect hami = HamiDialect.of(HamiSettings.DEFAULT);
        PodManifest pod = PodManifest.of("pod", List.of(container(vector)));
        ContainerManifest admitted;
        try {
            admitted = hami.admit(
                            pod,
                            vector.request().at("nodeName").textOr(""),
                            vector.request().at("privileged").isTrueOr(false))
                    .containers()
                    .get(0);
        } catch (RefusedException e) {
            return VgpuJson.object().put("accepted", false).put("message", e.rule());
        }
        List<VgpuRequest> asked = HamiDialect.of(HamiSettings.DEFAULT.withLenient(true)).read(admitted).stream()
                .toList();
        ObjectNode json =
                VgpuJson.object().put("accepted", HamiQuotaKinds.quota(vector).admitsAsked(List.of(), asked));
        Map<String, String> after = admitted.limits();
        json.set("limitsCoresAfter", number(after.get(HamiSettings.DEFAULT.coresResource())));
        json.set("limitsGpuAfter", number(after.get(HamiSettings.DEFAULT.countResource())));
        return json;
    }

    private static JsonNode number(@org.jspecify.annotations.Nullable String text) {
        return text == null
                ? VgpuJson.JSON.nullNode()
                : VgpuJson.JSON.numberNode(Quantity.parse(text).value());
    }

    /** What a pod with these shares takes of each GPU while it lives, by the snapshot's own books. */
    private static JsonNode collapse(VectorCase vector) {
        YamlNode perContainer = vector.given().at("perContainer");
        if (!perContainer.isPresent()) {
            return VgpuJson.object().set("effective", VgpuJson.JSON.nullNode());
        }
        int init = vector.given().at("initContainers").integerOr(0);
        NodeState node = VgpuFixture.holding(init, VgpuJson.containers(perContainer));
        ArrayNode effective = VgpuJson.JSON.arrayNode();
        for (Gpu gpu : node.node().gpus()) {
            int g = gpu.index();
            effective
                    .addObject()
                    .put("gpu", gpu.uuid())
                    .put("memMiB", gpu.memoryMib() - node.freeMemoryMib(g))
                    .put("corePercent", (gpu.computeMillis() - node.freeComputeMillis(g)) / 10)
                    .put("slots", gpu.slots() - node.freeSlots(g));
        }
        return VgpuJson.object().set("effective", effective);
    }

    /** What can be read of an annotation, and how many records cannot. */
    static JsonNode decoded(String annotation) {
        VgpuCodec.Decoded decoded = VgpuCodec.decodeReadable(annotation);
        ObjectNode json =
                VgpuJson.object().put("unreadable", decoded.unreadable().size());
        ArrayNode containers = json.putArray("containers");
        decoded.containers().forEach(shares -> containers.add(VgpuJson.write(shares)));
        json.set(
                "gpus",
                VgpuJson.write(
                        decoded.containers().stream().flatMap(List::stream).toList()));
        return json;
    }
}
