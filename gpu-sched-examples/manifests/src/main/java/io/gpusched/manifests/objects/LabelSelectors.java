package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads which pods or namespaces are meant. */
final class LabelSelectors {
    private static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST);

    private LabelSelectors() {}

    /** Returns a selector; an absent one selects nothing. */
    static LabelSelector of(io.fabric8.kubernetes.api.model.@Nullable LabelSelector selector, String path) {
        if (selector == null) {
            return LabelSelector.NOBODY;
        }
        Map<String, String> labels = Objects.requireNonNullElse(selector.getMatchLabels(), Map.of());
        List<Requirement> requirements =
                new ArrayList<>(ManifestReader.at(path + ".matchLabels", () -> LabelSelector.labels(labels))
                        .requirements());
        for (int i = 0; i < selector.getMatchExpressions().size(); i++) {
            LabelSelectorRequirement expression = selector.getMatchExpressions().get(i);
            String at = path + ".matchExpressions[" + i + "]";
            Operator operator = NodeConstraints.oneOf(OPERATORS, expression.getOperator(), at + ".operator");
            String key = Objects.requireNonNullElse(expression.getKey(), "");
            List<String> values = Objects.requireNonNullElse(expression.getValues(), List.of());
            requirements.add(ManifestReader.at(at, () -> new Requirement(key, operator, values)));
        }
        return new LabelSelector(requirements);
    }

    /**
     * Returns a selector that in addition demands the pod's own values of some labels, or other values than those. Labels that
     * the pod does not have are passed over. What the API server has merged already stays as it is.
     */
    static LabelSelector merged(
            LabelSelector selector,
            Map<String, String> own,
            @Nullable List<String> same,
            @Nullable List<String> other) {
        if (selector.equals(LabelSelector.NOBODY)) {
            return selector;
        }
        List<Requirement> requirements = new ArrayList<>(selector.requirements());
        add(requirements, own, same, Operator.IN);
        add(requirements, own, other, Operator.NOT_IN);
        return new LabelSelector(requirements);
    }

    private static void add(
            List<Requirement> requirements, Map<String, String> own, @Nullable List<String> keys, Operator operator) {
        for (String key : Objects.requireNonNullElse(keys, List.<String>of())) {
            String value = own.get(key);
            Requirement added = value == null ? null : new Requirement(key, operator, List.of(value));
            if (added != null && !requirements.contains(added)) {
                requirements.add(added);
            }
        }
    }
}
