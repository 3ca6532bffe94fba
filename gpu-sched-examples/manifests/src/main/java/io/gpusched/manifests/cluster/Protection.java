package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Disruption budgets of Kubernetes as an analysis takes them: the pods that each protects, and how many may be away now. */
public final class Protection {
    private Protection() {}

    /** Returns the budgets that protect any of some pods. */
    public static List<DisruptionBudget> of(Collection<PodDisruptionBudget> budgets, Collection<Pod> pods) {
        List<DisruptionBudget> all = new ArrayList<>();
        for (PodDisruptionBudget budget : budgets) {
            String namespace = budget.getMetadata().getNamespace();
            Set<PodId> selected = new TreeSet<>();
            for (Pod pod : pods) {
                if (pod.getMetadata().getNamespace().equals(namespace)
                        && selects(budget.getSpec().getSelector(), pod)) {
                    selected.add(new PodId(namespace, pod.getMetadata().getName()));
                }
            }
            if (!selected.isEmpty()) {
                all.add(new DisruptionBudget(
                        namespace + "/" + budget.getMetadata().getName(), selected, allowed(budget)));
            }
        }
        return all;
    }

    /** Returns how many of the pods of a budget may be evicted now; none where its controller has not said. */
    public static int allowed(PodDisruptionBudget budget) {
        return budget.getStatus() == null || budget.getStatus().getDisruptionsAllowed() == null
                ? 0
                : budget.getStatus().getDisruptionsAllowed();
    }

    /** Returns whether a selector accepts a pod; one that is absent accepts none, an empty one all. */
    public static boolean selects(@Nullable LabelSelector selector, Pod pod) {
        Map<String, String> labels =
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
        return selector != null
                && (selector.getMatchLabels() == null
                        || labels.entrySet()
                                .containsAll(selector.getMatchLabels().entrySet()))
                && selector.getMatchExpressions().stream().allMatch(one -> selects(one, labels));
    }

    private static boolean selects(LabelSelectorRequirement expression, Map<String, String> labels) {
        String value = labels.get(expression.getKey());
        return switch (String.valueOf(expression.getOperator())) {
            case "In" -> value != null && expression.getValues().contains(value);
            case "NotIn" -> value == null || !expression.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
