package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Optional;

/** What is asked of the API server beside what it tells by itself. Every call may throw a {@code KubernetesClientException}. */
interface PodApi {
    /** Returns a pod as it is this moment. */
    Optional<Pod> get(PodId id);

    /** Binds a pod. */
    void bind(Binding binding);

    /** Returns the disruption budgets of a namespace. */
    List<PodDisruptionBudget> budgets(String namespace);
}
