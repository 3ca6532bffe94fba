package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodePreference;
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

/** Reads which nodes a pod accepts, and which pods a node excludes. */
final class NodeConstraints {
    private static final String REQUIRED = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";

    private static final String PREFERRED =
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution";

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

    /**
     * A term of nothing matches no node, and neither does one that compares with something that is no number: kube-scheduler
     * drops it.
     */
    static NodeSelector terms(List<NodeSelectorTerm> terms) {
        List<NodeSelector.Term> parsed = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            term(terms.get(i), REQUIRED + ".nodeSelectorTerms[" + i + "]").ifPresent(parsed::add);
        }
        return parsed.isEmpty() ? NO_NODE : new NodeSelector(parsed);
    }

    /** Returns the nodes that a pod prefers; a term that no node can meet is left out. */
    static NodePreference[] preferences(Affinity affinity) {
        List<NodePreference> preferences = new ArrayList<>();
        if (affinity.getNodeAffinity() != null) {
            List<PreferredSchedulingTerm> terms =
                    affinity.getNodeAffinity().getPreferredDuringSchedulingIgnoredDuringExecution();
            for (int i = 0; i < terms.size(); i++) {
                String path = PREFERRED + "[" + i + "]";
                int weight = Objects.requireNonNullElse(terms.get(i).getWeight(), 0);
                term(terms.get(i).getPreference(), path + ".preference")
                        .ifPresent(term -> preferences.add(
                                ManifestReader.at(path + ".weight", () -> new NodePreference(weight, term))));
            }
        }
        return preferences.toArray(NodePreference[]::new);
    }

    private static Optional<NodeSelector.Term> term(@Nullable NodeSelectorTerm term, String path) {
        if (term == null
                || term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty()) {
            return Optional.empty();
        }
        List<NodeRequirement> requirements = new ArrayList<>();
        for (int i = 0; i < term.getMatchExpressions().size(); i++) {
            NodeSelectorRequirement expression = term.getMatchExpressions().get(i);
            if (comparesWithNoNumber(expression)) {
                return Optional.empty();
            }
            requirements.add(requirement(expression, path + ".matchExpressions[" + i + "]", false));
        }
        for (int i = 0; i < term.getMatchFields().size(); i++) {
            requirements.add(requirement(term.getMatchFields().get(i), path + ".matchFields[" + i + "]", true));
        }
        return Optional.of(new NodeSelector.Term(requirements));
    }

    private static boolean comparesWithNoNumber(NodeSelectorRequirement expression) {
        boolean compares = "Gt".equals(expression.getOperator()) || "Lt".equals(expression.getOperator());
        return compares
                && expression.getValues().size() == 1
                && !isWholeNumber(expression.getValues().get(0));
    }

    private static boolean isWholeNumber(String text) {
        if (!text.matches("[+-]?[0-9]+")) {
            return false;
        }
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static NodeRequirement requirement(NodeSelectorRequirement expression, String path, boolean field) {
        Operator operator = oneOf(OPERATORS, expression.getOperator(), path + ".operator");
        String key = orEmpty(expression.getKey());
        if (field && !key.equals("metadata.name")) {
            throw new ManifestException(path + ".key", "must be metadata.name, got \"" + key + "\"");
        }
        return ManifestReader.at(
                path, () -> new NodeRequirement(field ? NodeRequirement.NAME : key, operator, expression.getValues()));
    }

    static <T> T oneOf(Map<String, T> known, @Nullable String name, String path) {
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
