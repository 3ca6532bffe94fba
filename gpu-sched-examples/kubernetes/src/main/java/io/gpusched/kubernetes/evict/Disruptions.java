package io.gpusched.kubernetes.evict;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.manifests.cluster.Protection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which pods disruption budgets protect from being evicted together: each budget allows so many disruptions, and the pods
 * that come after them violate it. Not thread-safe.
 */
public final class Disruptions {
    private final Function<String, List<PodDisruptionBudget>> budgets;
    private final Map<String, List<PodDisruptionBudget>> byNamespace = new HashMap<>();

    /** Creates the rule with a look-up of a namespace's budgets, which is made once for each. */
    public Disruptions(Function<String, List<PodDisruptionBudget>> budgets) {
        this.budgets = budgets;
    }

    /** Returns those of some pods whose eviction violates a budget, if they go in this order. */
    public Set<Pod> violating(List<Pod> pods) {
        Map<PodDisruptionBudget, Integer> left = new HashMap<>();
        Set<Pod> violating = new HashSet<>();
        for (Pod pod : pods) {
            for (PodDisruptionBudget budget : protecting(pod)) {
                int allowed = left.merge(budget, Protection.allowed(budget), (now, initial) -> now) - 1;
                left.put(budget, allowed);
                if (allowed < 0) {
                    violating.add(pod);
                }
            }
        }
        return violating;
    }

    /**
     * Returns those of some pods that may not be evicted once others have been.
     *
     * @param leaving the others, in the order in which they go
     */
    public Set<Pod> exhausted(List<Pod> leaving, List<Pod> pods) {
        Map<PodDisruptionBudget, Integer> left = new HashMap<>();
        for (Pod pod : leaving) {
            protecting(pod).forEach(budget -> left.merge(budget, 1, Integer::sum));
        }
        Set<Pod> exhausted = new HashSet<>();
        for (Pod pod : pods) {
            if (protecting(pod).stream()
                    .anyMatch(budget -> Protection.allowed(budget) <= left.getOrDefault(budget, 0))) {
                exhausted.add(pod);
            }
        }
        return exhausted;
    }

    private List<PodDisruptionBudget> protecting(Pod pod) {
        List<PodDisruptionBudget> protecting = new ArrayList<>();
        for (PodDisruptionBudget budget :
                byNamespace.computeIfAbsent(pod.getMetadata().getNamespace(), budgets)) {
            if (Protection.selects(budget.getSpec().getSelector(), pod) && !isDisrupted(budget, pod)) {
                protecting.add(budget);
            }
        }
        return protecting;
    }

    /** A pod whose eviction is under way already is counted by the budget. */
    private static boolean isDisrupted(PodDisruptionBudget budget, Pod pod) {
        return budget.getStatus() != null
                && budget.getStatus().getDisruptedPods() != null
                && budget.getStatus()
                        .getDisruptedPods()
                        .containsKey(pod.getMetadata().getName());
    }
}
