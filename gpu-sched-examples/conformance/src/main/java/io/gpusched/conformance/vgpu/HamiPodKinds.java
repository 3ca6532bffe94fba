package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.HamiGreedy;
import io.gpusched.conformance.emulation.HamiNode;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.manifests.yaml.YamlNode;
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

    private static List<HamiLibrary> nodes(VectorCase vector) {
        List<Optional<VgpuRequest>> containers =
                VgpuJson.requests(vector.request().need("containers"));
        return vector.given().need("nodes").list().stream()
                .map(HamiPodKinds::node)
                .map(node -> HamiFitKinds.library(vector, node, containers, HamiQuota.NONE))
                .toList();
    }

    private static List<HamiLibrary.Choice> place(VectorCase vector) {
        return nodes(vector).stream()
                .map(library -> vector.isDefect() ? new HamiLibrary.Choice(library.exact(), false) : library.place())
                .toList();
    }

    private static HamiPodRules rules(VectorCase vector) {
        return HamiPodRules.of(HamiFitKinds.annotations(vector));
    }

    private static HamiNode node(YamlNode node) {
        return HamiNode.of(
                node.need("name").text(),
                VgpuJson.gpus(node.need("gpus")),
                node.at("annotations").texts(),
                HamiFitKinds.topology(node.at("pairScores")));
    }

    private static JsonNode perNode(VectorCase vector) {
        ObjectNode nodes = VgpuJson.object();
        List<HamiLibrary.Choice> answers = place(vector);
        for (HamiGreedy.OnNode placed :
                answers.stream().map(HamiLibrary.Choice::onNode).toList()) {
            ObjectNode node = nodes.putObject(placed.node());
            if (!placed.fits()) {
                node.put("reason", placed.refusal());
                continue;
            }
            node.put("score", placed.score());
            ArrayNode containers = node.putArray("containers");
            placed.containers().forEach(shares -> containers.add(VgpuJson.ids(shares)));
        }
        ObjectNode answer = VgpuJson.object().set("nodes", nodes);
        if (isByEmulation(answers)) {
            Answers.emulated(answer);
        }
        boolean fitsEverywhere =
                answers.stream().allMatch(placed -> placed.onNode().fits());
        return fitsEverywhere ? Answers.departing(answer, "placed here, on GPUs that are free for it") : answer;
    }

    private static boolean isByEmulation(List<HamiLibrary.Choice> answers) {
        return answers.stream().anyMatch(HamiLibrary.Choice::byEmulation);
    }

    /** The node that the scheduler takes; the emulation's choice where the emulation says on which nodes the pod fits. */
    private static Optional<HamiGreedy.OnNode> choose(VectorCase vector, List<HamiLibrary.Choice> answers) {
        List<HamiGreedy.OnNode> onNodes =
                answers.stream().map(HamiLibrary.Choice::onNode).toList();
        if (isByEmulation(answers)) {
            return HamiGreedy.of(rules(vector), HamiQuota.NONE).choose(onNodes);
        }
        return HamiLibrary.chooseNode(nodes(vector))
                .flatMap(name -> onNodes.stream()
                        .filter(onNode -> onNode.node().equals(name))
                        .findFirst());
    }

    private static Outcome placePod(VectorCase vector) {
        List<HamiLibrary.Choice> answers = place(vector);
        Optional<HamiGreedy.OnNode> chosen = choose(vector, answers);
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
                .map(HamiLibrary.Choice::onNode)
                .filter(placed -> !placed.fits())
                .forEach(placed -> failed.put(placed.node(), placed.refusal()));
        if (isByEmulation(answers)) {
            Answers.emulated(answer);
        }
        return acceptOthers(vector, answer);
    }

    /** A case may name further GPUs that are as good. */
    private static Outcome acceptOthers(VectorCase vector, ObjectNode answer) {
        ObjectNode expected = (ObjectNode) JsonValues.of(vector.expect());
        for (JsonNode other : expected.path("alsoAccepted")) {
            if (other.equals(answer.get("gpu"))) {
                expected.set("gpu", other);
            }
        }
        expected.remove("alsoAccepted");
        return VectorKind.compare(vector, expected, answer);
    }
}
