package io.gpusched.kubernetes.evict;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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
                        && Disruptions.selects(budget.getSpec().getSelector(), pod)) {
                    selected.add(new PodId(namespace, pod.getMetadata().getName()));
                }
            }
            if (!selected.isEmpty()) {
                all.add(new DisruptionBudget(
                        namespace + "/" + budget.getMetadata().getName(), selected, Disruptions.allowed(budget)));
            }
        }
        return all;
    }
}
