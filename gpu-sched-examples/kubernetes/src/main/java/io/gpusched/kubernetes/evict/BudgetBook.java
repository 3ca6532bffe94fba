package io.gpusched.kubernetes.evict;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The disruption budgets of a cluster. Not thread-safe. */
public final class BudgetBook {
    private final Map<String, Map<String, PodDisruptionBudget>> byNamespace = new HashMap<>();

    /** Takes note of a budget, new or changed. */
    public void put(PodDisruptionBudget budget) {
        byNamespace
                .computeIfAbsent(budget.getMetadata().getNamespace(), any -> new TreeMap<>())
                .put(budget.getMetadata().getName(), budget);
    }

    /** Takes note that a budget is gone. */
    public void remove(PodDisruptionBudget budget) {
        byNamespace
                .getOrDefault(budget.getMetadata().getNamespace(), new TreeMap<>())
                .remove(budget.getMetadata().getName());
    }

    /** Returns those of some pods whose eviction a budget forbids, if they go in this order. */
    public Set<Pod> violating(List<Pod> pods) {
        return disruptions().violating(pods);
    }

    /** Returns those of some pods that may not be evicted once these others have been. */
    public Set<Pod> exhausted(List<Pod> leaving, List<Pod> pods) {
        return byNamespace.isEmpty() ? Set.of() : disruptions().exhausted(leaving, pods);
    }

    private Disruptions disruptions() {
        return new Disruptions(namespace ->
                List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values()));
    }
}
