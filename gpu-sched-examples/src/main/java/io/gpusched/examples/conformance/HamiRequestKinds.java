package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.HamiAdmission;
import io.gpusched.dialect.HamiPodRules;
import io.gpusched.dialect.HamiRequests;
import io.gpusched.dialect.HamiSettings;
import io.gpusched.dialect.VgpuCodec;
import io.gpusched.dialect.VgpuRequest;
import io.gpusched.dialect.VgpuSelector;
import io.gpusched.dialect.VgpuUsage;
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
                        vector -> allowed(HamiPodRules.of(VgpuJson.texts(vector.request()))
                                .acceptsMode(vector.given().at("gpuMode").textOr("")))),
                kind(
                        "flag-parse",
                        vector -> VgpuJson.object()
                                .put(
                                        "enforced",
                                        HamiPodRules.of(VgpuJson.texts(vector.request()))
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
                vector.request().at("use").optional().map(Field::text).orElse(null),
                vector.request().at("nouse").optional().map(Field::text).orElse(null));
    }

    /** Reads requests as HAMi's scheduler does, out-of-range percentages included. */
    private static JsonNode parse(VectorCase vector) {
        Field config = vector.given().at("config");
        HamiSettings settings = HamiSettings.DEFAULT
                .withDefaults(
                        config.at("memoryFactor").integerOr(1),
                        config.at("defaultMemoryMiB").numberOr(0),
                        config.at("defaultCores").integerOr(0))
                .withLenient(true);
        try {
            return written(HamiRequests.of(settings).parse(limits(vector), requests(vector)));
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
        return VgpuJson.texts(vector.request().at("limits"));
    }

    static Map<String, String> requests(VectorCase vector) {
        return VgpuJson.texts(vector.request().at("requests"));
    }

    private static JsonNode admission(VectorCase vector) {
        HamiAdmission webhook = HamiAdmission.of(HamiSettings.DEFAULT);
        Optional<String> refusal = HamiAdmission.podRefusal(
                        vector.request().at("nodeName").textOr(""),
                        vector.request().at("privileged").isTrueOr(false))
                .or(() -> webhook.refusal(limits(vector), requests(vector)));
        ObjectNode json = VgpuJson.object().put("accepted", refusal.isEmpty());
        if (refusal.isPresent()) {
            return json.put("message", refusal.get());
        }
        Map<String, String> after = webhook.complete(limits(vector), requests(vector));
        List<VgpuRequest> asked =
                HamiRequests.of(HamiSettings.DEFAULT.withLenient(true)).parse(after, requests(vector)).stream()
                        .toList();
        json.put("accepted", HamiQuotaKinds.quota(vector).admitsAsked(List.of(), asked));
        json.set("limitsCoresAfter", number(after.get(HamiSettings.DEFAULT.coresResource())));
        json.set("limitsGpuAfter", number(after.get(HamiSettings.DEFAULT.countResource())));
        return json;
    }

    private static JsonNode number(@org.jspecify.annotations.Nullable String text) {
        return text == null ? VgpuJson.JSON.nullNode() : VgpuJson.JSON.numberNode(Long.parseLong(text));
    }

    private static JsonNode collapse(VectorCase vector) {
        Field perContainer = vector.given().at("perContainer");
        if (!perContainer.isPresent()) {
            return VgpuJson.object().set("effective", VgpuJson.JSON.nullNode());
        }
        ArrayNode effective = VgpuJson.JSON.arrayNode();
        int init = vector.given().at("initContainers").integerOr(0);
        for (VgpuUsage usage : VgpuUsage.collapse(init, VgpuJson.containers(perContainer))) {
            effective
                    .addObject()
                    .put("gpu", usage.gpu())
                    .put("memMiB", usage.memoryMib())
                    .put("corePercent", usage.cores())
                    .put("slots", usage.slots());
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
