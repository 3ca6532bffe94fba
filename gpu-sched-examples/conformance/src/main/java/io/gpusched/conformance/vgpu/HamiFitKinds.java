package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.HamiAnswer;
import io.gpusched.conformance.emulation.HamiFit;
import io.gpusched.conformance.emulation.HamiGreedy;
import io.gpusched.conformance.emulation.HamiNode;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.manifests.yaml.YamlNode;
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

    /**
     * The GPUs are scanned as they are listed, which only the emulation does. Where dialect and scheduler, which sort them,
     * answer the same, the answer is theirs. A documented defect is answered by them alone.
     */
    private static JsonNode fitAsListed(VectorCase vector) {
        HamiNode node = node(vector);
        VgpuRequest request = VgpuJson.request(vector.request().need("container"));
        HamiLibrary library = library(vector, node, List.of(Optional.of(request)), HamiQuota.NONE);
        if (vector.isDefect()) {
            return exact(library);
        }
        HamiAnswer listed = HamiFit.fit(node, HamiPodRules.of(annotations(vector)), request, HamiFit.QuotaCheck.NONE);
        HamiLibrary.Choice sorted = library.place();
        boolean same = !sorted.byEmulation() && isSame(listed, sorted.onNode());
        return same ? answer(listed) : Answers.emulated(answer(listed));
    }

    private static boolean isSame(HamiAnswer listed, HamiGreedy.OnNode sorted) {
        return listed instanceof HamiAnswer.Chosen chosen
                ? sorted.fits()
                        && VgpuJson.sortedIds(chosen.shares())
                                .equals(VgpuJson.sortedIds(sorted.containers().get(0)))
                : sorted.refusal().equals(((HamiAnswer.Refused) listed).reason());
    }

    static HamiLibrary library(
            VectorCase vector, HamiNode node, List<Optional<VgpuRequest>> containers, HamiQuota quota) {
        List<Optional<VgpuRequest>> init = VgpuJson.requests(vector.request().at("initContainers"));
        return new HamiLibrary(node, annotations(vector), init, containers, quota);
    }

    /** A placement was checked by the snapshot that took it, so that it departs from HAMi's refusal with good reason. */
    private static JsonNode exact(HamiLibrary library) {
        HamiGreedy.OnNode exact = library.exact();
        return exact.fits()
                ? Answers.departing(answer(exact), "placed here, on GPUs that are free for it")
                : answer(exact);
    }

    private static JsonNode choose(VectorCase vector) {
        try {
            HamiPodRules.of(annotations(vector));
        } catch (IllegalArgumentException e) {
            return VgpuJson.object().put("fits", false).put("error", e.getMessage());
        }
        List<Optional<VgpuRequest>> containers =
                List.of(Optional.of(VgpuJson.request(vector.request().need("container"))));
        return answer(library(vector, node(vector), containers, HamiQuota.NONE).place());
    }

    /** The GPUs are sorted by scores that the case states, then scanned. */
    private static JsonNode sortThenFit(VectorCase vector) {
        HamiPodRules rules = HamiPodRules.of(annotations(vector));
        Map<String, Double> scores = new HashMap<>();
        for (YamlNode gpu : vector.given().need("gpus").list()) {
            scores.put(gpu.need("id").text(), gpu.need("fixedScore").decimal());
        }
        boolean grouped = vector.request().at("sortWithNumaGrouping").isTrueOr(rules.numaBind());
        HamiNode node = node(vector);
        List<VgpuDevice> sorted = node.gpus().stream()
                .sorted(rules.gpuPolicy().order(gpu -> scores.getOrDefault(gpu.id(), 0.0), grouped))
                .toList();
        HamiNode inOrder = new HamiNode(node.name(), sorted, node.cordoned(), node.topology());
        VgpuRequest request = VgpuJson.request(vector.request().need("container"));
        return Answers.emulated(answer(HamiFit.fit(inOrder, rules, request, HamiFit.QuotaCheck.NONE)));
    }

    static HamiNode node(VectorCase vector) {
        return HamiNode.of(
                "node",
                VgpuJson.gpus(vector.given().need("gpus")),
                vector.given().at("nodeAnnotations").texts(),
                topology(vector.given().at("pairScores")));
    }

    static HamiTopology topology(YamlNode pairScores) {
        Map<String, Map<String, Integer>> scores = new HashMap<>();
        pairScores.map().forEach((from, row) -> {
            Map<String, Integer> to = new HashMap<>();
            row.map().forEach((id, score) -> to.put(id, score.integer()));
            scores.put(from, to);
        });
        return new HamiTopology(scores);
    }

    /** The pod's annotations; cases also name policies on their own. */
    static Map<String, String> annotations(VectorCase vector) {
        Map<String, String> annotations = VgpuJson.annotations(vector.request().at("annotations"));
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

    static ObjectNode answer(HamiLibrary.Choice answer) {
        return answer.byEmulation() ? Answers.emulated(answer(answer.onNode())) : answer(answer.onNode());
    }

    private static ObjectNode answer(HamiGreedy.OnNode placed) {
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
