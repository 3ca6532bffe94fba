package io.gpusched.conformance.extender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.Fields;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.ExtenderChain;
import io.gpusched.conformance.emulation.ExtenderClient;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.BindingResult;
import io.gpusched.kubernetes.extender.wire.FilterResult;
import io.gpusched.kubernetes.extender.wire.HostPriority;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionResult;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The kinds of cases about extenders. The messages are those that this extender reads and writes; what kube-scheduler makes of
 * them is emulated.
 */
public final class ExtenderKinds {
    private static final String SYSTEM = "kubernetes-scheduler-extender";
    private static final String ONLY = "only-";
    private static final ObjectMapper JSON = new ObjectMapper();

    private ExtenderKinds() {}

    /** Returns the kinds. */
    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "wire-format", ExtenderKinds::wireFormat),
                VectorKind.emulating(SYSTEM, "extender-interest", ExtenderKinds::interest),
                VectorKind.emulating(SYSTEM, "extender-chain", ExtenderKinds::chain),
                VectorKind.emulating(SYSTEM, "extender-filter", ExtenderKinds::filter),
                VectorKind.emulating(SYSTEM, "extender-preempt", ExtenderKinds::preempt),
                VectorKind.of(SYSTEM, "score-scale", ExtenderKinds::scoreScale));
    }

    /** The first node that is left is taken. */
    private static ObjectNode chain(VectorCase vector) {
        List<String> nodes = vector.given().need("nodes").textList();
        List<ExtenderChain.Link> extenders = vector.request().need("extenders").list().stream()
                .map(one -> new ExtenderChain.Link(
                        answerOf(one.need("filter")), one.at("ignorable").isTrueOr(false)))
                .toList();
        Optional<List<String>> left = ExtenderChain.left(nodes, extenders);
        if (left.isEmpty()) {
            return Answers.object().put("error", true);
        }
        int feasible = left.get().size();
        ObjectNode answer = Answers.object().put("evaluated", nodes.size()).put("feasible", feasible);
        answer.put("fits", feasible > 0);
        return feasible == 0
                ? answer.put("error", true)
                : answer.put("node", left.get().get(0));
    }

    private static Function<List<String>, Optional<List<String>>> answerOf(YamlNode filter) {
        String text = filter.text();
        if (text.startsWith(ONLY)) {
            String only = text.substring(ONLY.length());
            return nodes -> Optional.of(nodes.stream().filter(only::equals).toList());
        }
        return switch (text) {
            case "pass" -> Optional::of;
            case "none", "fail" -> nodes -> Optional.of(List.of());
            case "error" -> nodes -> Optional.empty();
            default -> throw filter.error("must be pass, none, error or only-NODE");
        };
    }

    /** Reads a message with its names in small letters, and writes what was understood. */
    private static JsonNode wireFormat(VectorCase vector) {
        JsonNode message = JsonValues.of(vector.expect().need("json"));
        YamlNode type = vector.request().need("type");
        JsonNode written = switch (type.text()) {
            case "binding-args" -> written(BindingArguments.read(lowerCase(message)));
            case "binding-result" -> JSON.valueToTree(read(message, BindingResult.class));
            case "host-priority" -> JSON.valueToTree(read(message, HostPriority.class));
            case "preemption-result" -> JSON.valueToTree(read(message, PreemptionResult.class));
            case "filter-result", "extender-filter-result" -> JSON.valueToTree(read(message, FilterResult.class));
            case "preemption-args", "extender-preemption-args" ->
                JSON.valueToTree(new PreemptionResult(
                        PreemptionArguments.read(lowerCase(message)).victims()));
            default -> throw type.error("must be a message of the protocol");
        };
        ObjectNode answer = Answers.object();
        answer.set("json", written);
        return answer;
    }

    private static JsonNode written(BindingArguments arguments) {
        return Answers.object()
                .put("PodName", arguments.pod().name())
                .put("PodNamespace", arguments.pod().namespace())
                .put("PodUID", arguments.uid())
                .put("Node", arguments.node());
    }

    private static JsonNode lowerCase(JsonNode message) {
        ObjectNode lower = Answers.object();
        message.properties().forEach(member -> lower.set(member.getKey().toLowerCase(Locale.ROOT), member.getValue()));
        return lower;
    }

    private static <T> T read(JsonNode message, Class<T> type) {
        try {
            return JSON.treeToValue(message, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    private static ObjectNode interest(VectorCase vector) {
        List<String> managed = vector.given().need("managedResources").textList();
        YamlNode pod = vector.request().need("pod");
        Set<String> mentioned = new LinkedHashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            for (YamlNode container : pod.at(list).list()) {
                mentioned.addAll(container.at("requests").map().keySet());
                mentioned.addAll(container.at("limits").map().keySet());
            }
        }
        return Answers.object().put("interested", ExtenderClient.isInterested(managed, mentioned));
    }

    private static ObjectNode filter(VectorCase vector) {
        YamlNode response = vector.request().need("response");
        FilterResult result = new FilterResult(
                null,
                feasible(vector.given().at("nodeCacheCapable").isTrueOr(true), response),
                response.at("FailedNodes").texts(),
                response.at("FailedAndUnresolvableNodes").texts(),
                response.at("Error").textOr(""));
        Optional<ExtenderClient.Filtered> filtered = ExtenderClient.filtered(
                vector.given().need("sent").textList(),
                response.at("httpStatus").integerOr(200),
                result);
        ObjectNode answer = Answers.object().put("error", filtered.isEmpty());
        filtered.ifPresent(found -> {
            answer.set("feasible", Answers.texts(found.feasible()));
            answer.set("statusOf", JSON.valueToTree(found.statuses()));
        });
        return answer;
    }

    /** An answer by names counts only if the extender keeps nodes itself; else, or without names, the nodes of the answer do. */
    private static List<String> feasible(boolean nodeCacheCapable, YamlNode response) {
        if (nodeCacheCapable && response.at("NodeNames").isPresent()) {
            return response.at("NodeNames").textList();
        }
        YamlNode nodes =
                response.at("Nodes").has("items") ? response.at("Nodes").at("items") : response.at("Nodes");
        return nodes.list().stream()
                .map(node -> node.kind() == YamlNode.Kind.MAPPING
                        ? node.need("metadata").need("name").text()
                        : node.text())
                .toList();
    }

    private static ObjectNode preempt(VectorCase vector) {
        ObjectNode answer = Answers.object();
        if (vector.request().has("victims")) {
            boolean byIdentity = vector.given().at("nodeCacheCapable").isTrueOr(false);
            answer.put("requestMember", byIdentity ? "NodeNameToMetaVictims" : "NodeNameToVictims");
        }
        if (vector.request().has("response")) {
            PreemptionResult result = read(JsonValues.of(vector.request().need("response")), PreemptionResult.class);
            Optional<List<String>> candidates = ExtenderClient.candidates(
                    vector.given().need("sent").textList(),
                    vector.given().at("ignorable").isTrueOr(false),
                    result);
            answer.put("error", candidates.isEmpty());
            candidates.ifPresent(nodes -> answer.set("candidates", Answers.texts(nodes)));
        }
        return answer;
    }

    private static Outcome scoreScale(VectorCase vector) {
        Map<String, YamlNode> members = new TreeMap<>(vector.request().map());
        members.putAll(vector.given().map());
        YamlNode score = members.get("score");
        YamlNode weight = members.get("weight");
        ObjectNode answer = Answers.object();
        if (score != null && weight != null) {
            long contribution = ExtenderClient.contribution(score.number(), weight.number());
            answer.put("final", contribution).put("contribution", contribution);
        }
        answer.put("min", HostPriority.WORST).put("max", HostPriority.BEST);
        return Fields.compareKnown(vector, answer);
    }
}
