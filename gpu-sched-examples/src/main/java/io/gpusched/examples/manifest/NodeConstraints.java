package io.gpusched.examples.manifest;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads which nodes a pod accepts, and whom a node keeps away. */
final class NodeConstraints {
    private static final String REQUIRED = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";

    private static final Map<String, Taint.Effect> EFFECTS = Map.of(
            "NoSchedule", Taint.Effect.NO_SCHEDULE,
            "NoExecute", Taint.Effect.NO_EXECUTE,
            "PreferNoSchedule", Taint.Effect.PREFER_NO_SCHEDULE);

    private static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST,
            "Gt", Operator.GT,
            "Lt", Operator.LT);

    /** No label is there and not there. */
    private static final NodeSelector NO_NODE = NodeSelector.all(
            NodeRequirement.exists("none"), new NodeRequirement("none", Operator.DOES_NOT_EXIST, List.of()));

    private NodeConstraints() {}

    static List<Taint> taints(NodeSpec spec) {
        List<Taint> taints = new ArrayList<>();
        for (int i = 0; i < spec.getTaints().size(); i++) {
            io.fabric8.kubernetes.api.model.Taint taint = spec.getTaints().get(i);
            String path = "spec.taints[" + i + "]";
            Taint.Effect effect = oneOf(EFFECTS, taint.getEffect(), path + ".effect");
            String key = orEmpty(taint.getKey());
            taints.add(ManifestReader.at(path, () -> new Taint(key, orEmpty(taint.getValue()), effect)));
        }
        return taints;
    }

    static List<Toleration> tolerations(PodSpec spec) {
        List<Toleration> tolerations = new ArrayList<>();
        for (int i = 0; i < spec.getTolerations().size(); i++) {
            tolerations.add(toleration(spec.getTolerations().get(i), "spec.tolerations[" + i + "]"));
        }
        return tolerations;
    }

    private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration toleration, String path) {
        boolean exists = switch (Objects.requireNonNullElse(toleration.getOperator(), "Equal")) {
            case "Exists" -> true;
            case "Equal", "" -> false;
            default ->
                throw new ManifestException(
                        path + ".operator", "must be Exists or Equal, got \"" + toleration.getOperator() + "\"");
        };
        Optional<String> value = exists ? Optional.empty() : Optional.of(orEmpty(toleration.getValue()));
        Optional<Taint.Effect> effect = orEmpty(toleration.getEffect()).isEmpty()
                ? Optional.empty()
                : Optional.of(oneOf(EFFECTS, toleration.getEffect(), path + ".effect"));
        return ManifestReader.at(path, () -> new Toleration(orEmpty(toleration.getKey()), value, effect));
    }

    /** Returns what the node selector and any one term of the required node affinity demand. */
    static NodeSelector selector(PodSpec spec) {
        Map<String, String> labels = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
        NodeSelector selector = ManifestReader.at("spec.nodeSelector", () -> NodeSelector.labels(labels));
        if (spec.getAffinity() == null
                || spec.getAffinity().getNodeAffinity() == null
                || spec.getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
            return selector;
        }
        return selector.and(terms(spec.getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()));
    }

    /** A term of nothing matches no node. One of fields alone, which are not honoured, is left to accept any. */
    static NodeSelector terms(List<NodeSelectorTerm> terms) {
        List<NodeSelector.Term> parsed = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            NodeSelectorTerm term = terms.get(i);
            String path = REQUIRED + ".nodeSelectorTerms[" + i + "].matchExpressions";
            if (!term.getMatchExpressions().isEmpty()) {
                parsed.add(new NodeSelector.Term(requirements(term.getMatchExpressions(), path)));
            } else if (!term.getMatchFields().isEmpty()) {
                return NodeSelector.ANY;
            }
        }
        return parsed.isEmpty() ? NO_NODE : new NodeSelector(parsed);
    }

    private static List<NodeRequirement> requirements(List<NodeSelectorRequirement> expressions, String path) {
        List<NodeRequirement> requirements = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            NodeSelectorRequirement expression = expressions.get(i);
            String at = path + "[" + i + "]";
            Operator operator = oneOf(OPERATORS, expression.getOperator(), at + ".operator");
            requirements.add(ManifestReader.at(
                    at, () -> new NodeRequirement(orEmpty(expression.getKey()), operator, expression.getValues())));
        }
        return requirements;
    }

    private static <T> T oneOf(Map<String, T> known, @Nullable String name, String path) {
        T value = known.get(orEmpty(name));
        if (value == null) {
            throw new ManifestException(
                    path,
                    "must be one of "
                            + String.join(", ", known.keySet().stream().sorted().toList()) + ", got "
                            + (name == null ? "nothing" : "\"" + name + "\""));
        }
        return value;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
