package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.HamiAnswer;
import io.gpusched.dialect.HamiFit;
import io.gpusched.dialect.HamiGreedy;
import io.gpusched.dialect.HamiNode;
import io.gpusched.dialect.HamiPodRules;
import io.gpusched.dialect.HamiQuota;
import io.gpusched.dialect.HamiTopology;
import io.gpusched.dialect.VgpuDevice;
import io.gpusched.dialect.VgpuRequest;
import io.gpusched.dialect.VgpuShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** HAMi's cases of one container on the GPUs of one node. */
final class HamiFitKinds {
    static final String SYSTEM = "hami";

    private HamiFitKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.of(SYSTEM, "fit-one-container", vector -> VgpuJson.compare(vector, fitAsListed(vector))),
                VectorKind.of(SYSTEM, "choose-one-container", vector -> VgpuJson.compare(vector, choose(vector))),
                VectorKind.of(SYSTEM, "sort-then-fit", vector -> VgpuJson.compare(vector, sortThenFit(vector))));
    }

    /** The GPUs are scanned in the order in which they are listed. A documented defect is answered exactly instead. */
    private static JsonNode fitAsListed(VectorCase vector) {
        HamiNode node = node(vector);
        HamiPodRules rules = HamiPodRules.of(annotations(vector));
        VgpuRequest request = VgpuJson.request(vector.request().need("container"));
        if (vector.isDefect()) {
            return HamiExact.place(node, annotations(vector), request);
        }
        return answer(HamiFit.fit(node, rules, request, HamiFit.QuotaCheck.NONE));
    }

    private static JsonNode choose(VectorCase vector) {
        HamiPodRules rules;
        try {
            rules = HamiPodRules.of(annotations(vector));
        } catch (IllegalArgumentException e) {
            return VgpuJson.object().put("fits", false).put("error", true);
        }
        List<Optional<VgpuRequest>> containers =
                List.of(Optional.of(VgpuJson.request(vector.request().need("container"))));
        return answer(HamiGreedy.of(rules, HamiQuota.NONE).place(node(vector), List.of(), containers));
    }

    /** The GPUs are sorted by scores that the case states, then scanned. */
    private static JsonNode sortThenFit(VectorCase vector) {
        HamiPodRules rules = HamiPodRules.of(annotations(vector));
        Map<String, Double> scores = new HashMap<>();
        for (Field gpu : vector.given().need("gpus").list()) {
            scores.put(gpu.need("id").text(), gpu.need("fixedScore").decimal());
        }
        boolean grouped = vector.request().at("sortWithNumaGrouping").isTrueOr(rules.numaBind());
        HamiNode node = node(vector);
        List<VgpuDevice> sorted = node.gpus().stream()
                .sorted(rules.gpuPolicy().order(gpu -> scores.getOrDefault(gpu.id(), 0.0), grouped))
                .toList();
        HamiNode inOrder = new HamiNode(node.name(), sorted, node.cordoned(), node.topology());
        VgpuRequest request = VgpuJson.request(vector.request().need("container"));
        return answer(HamiFit.fit(inOrder, rules, request, HamiFit.QuotaCheck.NONE));
    }

    static HamiNode node(VectorCase vector) {
        return HamiNode.of(
                "node",
                VgpuJson.gpus(vector.given().need("gpus")),
                VgpuJson.texts(vector.given().at("nodeAnnotations")),
                topology(vector.given().at("pairScores")));
    }

    static HamiTopology topology(Field pairScores) {
        Map<String, Map<String, Integer>> scores = new HashMap<>();
        pairScores.members().forEach((from, row) -> {
            Map<String, Integer> to = new HashMap<>();
            row.members().forEach((id, score) -> to.put(id, score.integer()));
            scores.put(from, to);
        });
        return new HamiTopology(scores);
    }

    /** The pod's annotations; cases also name policies on their own. */
    static Map<String, String> annotations(VectorCase vector) {
        Map<String, String> annotations = VgpuJson.texts(vector.request().at("annotations"));
        vector.request()
                .at("gpuPolicy")
                .optional()
                .ifPresent(policy -> annotations.put("hami.io/gpu-scheduler-policy", policy.text()));
        vector.request()
                .at("nodePolicy")
                .optional()
                .ifPresent(policy -> annotations.put(HamiPodRules.NODE_POLICY, policy.text()));
        return annotations;
    }

    static ObjectNode answer(HamiGreedy.OnNode placed) {
        return answer(
                placed.fits()
                        ? new HamiAnswer.Chosen(placed.containers().get(0))
                        : new HamiAnswer.Refused(placed.refusal()));
    }

    private static ObjectNode answer(HamiAnswer answer) {
        ObjectNode json = VgpuJson.object();
        if (answer instanceof HamiAnswer.Refused refused) {
            return json.put("fits", false).put("reason", refused.reason());
        }
        List<VgpuShare> shares = ((HamiAnswer.Chosen) answer).shares();
        json.put("fits", true).put("gpuCount", shares.size());
        json.put("gpu", shares.isEmpty() ? "" : shares.get(0).gpu());
        json.set("gpus", VgpuJson.ids(shares));
        json.set("gpuSet", VgpuJson.sortedIds(shares));
        json.set("booked", VgpuJson.write(shares));
        return json;
    }
}
