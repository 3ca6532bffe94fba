package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.HamiGreedy;
import io.gpusched.dialect.hami.HamiGpuPolicy;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiWeights;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** HAMi's cases of scores and of orders. */
final class HamiOrderKinds {
    private static final String SYSTEM = HamiFitKinds.SYSTEM;

    private HamiOrderKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.of(SYSTEM, "gpu-less", vector -> VgpuJson.compare(vector, gpuLess(vector))),
                VectorKind.emulating(SYSTEM, "node-less", HamiOrderKinds::nodeLess),
                VectorKind.of(SYSTEM, "gpu-score", vector -> VgpuJson.compare(vector, gpuScore(vector))),
                VectorKind.of(SYSTEM, "node-score", vector -> VgpuJson.compare(vector, nodeScore(vector))));
    }

    private static JsonNode gpuLess(VectorCase vector) {
        YamlNode a = vector.given().need("a");
        YamlNode b = vector.given().need("b");
        Map<String, Double> scores =
                Map.of("a", a.need("score").decimal(), "b", b.need("score").decimal());
        HamiGpuPolicy policy =
                HamiGpuPolicy.parse(vector.request().at("gpuPolicy").textOr(""));
        boolean grouped = vector.request().at("numaBind").isTrueOr(false);
        int order =
                policy.order(gpu -> scores.getOrDefault(gpu.id(), 0.0), grouped).compare(named("a", a), named("b", b));
        return VgpuJson.object().put("aBeforeB", order < 0);
    }

    private static VgpuDevice named(String id, YamlNode gpu) {
        VgpuDevice read = VgpuJson.gpu(gpu, 0);
        return new VgpuDevice(
                id,
                read.index(),
                read.numa(),
                read.type(),
                read.mode(),
                read.healthy(),
                read.slots(),
                read.memoryMib(),
                read.cores());
    }

    private static ObjectNode nodeLess(VectorCase vector) {
        boolean spreads = vector.request().at("nodePolicy").textOr("").equals("spread");
        int order = HamiGreedy.nodeOrder(spreads)
                .compare(
                        scored(vector.given().need("aScore")),
                        scored(vector.given().need("bScore")));
        return VgpuJson.object().put("aBeforeB", order < 0);
    }

    private static HamiGreedy.OnNode scored(YamlNode score) {
        return new HamiGreedy.OnNode("node", score.decimal(), List.of(), "");
    }

    private static JsonNode gpuScore(VectorCase vector) {
        HamiWeights weights;
        try {
            weights = weights(vector.request().at("weights"));
        } catch (IllegalArgumentException e) {
            return VgpuJson.object().put("error", e.getMessage());
        }
        List<VgpuRequest> requests = VgpuJson.requests(vector.request().at("containers")).stream()
                .flatMap(Optional::stream)
                .toList();
        VgpuDevice gpu = VgpuJson.gpu(vector.given().need("gpu"), 0);
        return VgpuJson.object().put("score", weights.score(gpu, requests));
    }

    /** Weights by name, or as the annotation says them. */
    private static HamiWeights weights(YamlNode weights) {
        if (!weights.isPresent() || weights.kind() == YamlNode.Kind.TEXT) {
            return HamiWeights.parse(weights.optional().map(YamlNode::text).orElse(null));
        }
        return new HamiWeights(
                weights.at("slot").numberOr(0),
                weights.at("core").numberOr(0),
                weights.at("memory").numberOr(0));
    }

    private static JsonNode nodeScore(VectorCase vector) {
        return VgpuJson.object()
                .put("score", HamiPodRules.fullness(VgpuJson.gpus(vector.given().need("gpus"))));
    }
}
