package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.HamiGreedy;
import io.gpusched.dialect.HamiNode;
import io.gpusched.dialect.HamiPodRules;
import io.gpusched.dialect.HamiQuota;
import java.util.List;
import java.util.Optional;

/** HAMi's cases of whole pods on one or several nodes. */
final class HamiPodKinds {
    private static final String SYSTEM = HamiFitKinds.SYSTEM;

    private HamiPodKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.of(SYSTEM, "place-pod-per-node", vector -> VgpuJson.compare(vector, perNode(vector))),
                VectorKind.of(SYSTEM, "place-pod", HamiPodKinds::placePod));
    }

    /** HAMi's own rule, whose refusals these cases state; a documented defect is answered exactly instead. */
    private static List<HamiGreedy.OnNode> place(VectorCase vector) {
        HamiPodRules rules = rules(vector);
        HamiGreedy greedy = HamiGreedy.of(rules, HamiQuota.NONE);
        Field init = vector.request().at("initContainers");
        Field containers = vector.request().need("containers");
        return vector.given().need("nodes").list().stream()
                .map(HamiPodKinds::node)
                .map(node -> vector.isDefect()
                        ? HamiExact.place(
                                node,
                                HamiFitKinds.annotations(vector),
                                VgpuJson.requests(init),
                                VgpuJson.requests(containers))
                        : greedy.place(node, VgpuJson.requests(init), VgpuJson.requests(containers)))
                .toList();
    }

    private static HamiPodRules rules(VectorCase vector) {
        return HamiPodRules.of(HamiFitKinds.annotations(vector));
    }

    private static HamiNode node(Field node) {
        return HamiNode.of(
                node.need("name").text(),
                VgpuJson.gpus(node.need("gpus")),
                VgpuJson.texts(node.at("annotations")),
                HamiFitKinds.topology(node.at("pairScores")));
    }

    private static JsonNode perNode(VectorCase vector) {
        ObjectNode nodes = VgpuJson.object();
        for (HamiGreedy.OnNode placed : place(vector)) {
            ObjectNode node = nodes.putObject(placed.node());
            if (!placed.fits()) {
                node.put("reason", placed.refusal());
                continue;
            }
            node.put("score", placed.score());
            ArrayNode containers = node.putArray("containers");
            placed.containers().forEach(shares -> containers.add(VgpuJson.ids(shares)));
        }
        return VgpuJson.object().set("nodes", nodes);
    }

    private static Outcome placePod(VectorCase vector) {
        List<HamiGreedy.OnNode> answers = place(vector);
        Optional<HamiGreedy.OnNode> chosen =
                HamiGreedy.of(rules(vector), HamiQuota.NONE).choose(answers);
        ObjectNode answer = VgpuJson.object().put("fits", chosen.isPresent());
        answer.set("node", VgpuJson.JSON.nullNode());
        chosen.ifPresent(placed -> {
            answer.put("node", placed.node());
            placed.containers().stream()
                    .flatMap(List::stream)
                    .findFirst()
                    .ifPresent(share -> answer.put("gpu", share.gpu()));
        });
        ObjectNode failed = answer.putObject("failedNodes");
        answers.stream()
                .filter(placed -> !placed.fits())
                .forEach(placed -> failed.put(placed.node(), placed.refusal()));
        return acceptOthers(vector, answer);
    }

    /** A case may name further GPUs that are as good. */
    private static Outcome acceptOthers(VectorCase vector, ObjectNode answer) {
        ObjectNode expected = vector.expect().json().deepCopy();
        for (JsonNode other : expected.path("alsoAccepted")) {
            if (other.equals(answer.get("gpu"))) {
                expected.set("gpu", other);
            }
        }
        expected.remove("alsoAccepted");
        return Outcome.of(JsonDiff.compare(expected, answer));
    }
}
