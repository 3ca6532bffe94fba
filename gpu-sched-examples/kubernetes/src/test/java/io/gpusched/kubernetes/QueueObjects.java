package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import java.util.Map;

/** Queues and disruption budgets for tests. */
public final class QueueObjects {
    private QueueObjects() {}

    /** Returns a queue object. */
    public static GenericKubernetesResource queue(QueueVocabulary vocabulary, String name, Map<String, ?> spec) {
        GenericKubernetesResource queue = new GenericKubernetesResource();
        queue.setApiVersion(vocabulary.apiVersion());
        queue.setKind("Queue");
        queue.setMetadata(
                new ObjectMetaBuilder().withName(name).withUid("uid-" + name).build());
        queue.setAdditionalProperty("spec", spec);
        return queue;
    }

    /** Returns what one of our own queues says that deserves so many GPUs. */
    public static Map<String, ?> deserving(int gpus) {
        return Map.of("resources", Map.of("gpu", Map.of("deserved", gpus)));
    }

    /** Returns a budget of the pods with a label that allows so many disruptions. */
    public static PodDisruptionBudget budget(String name, String label, String value, int allowed) {
        return new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(1))
                .withNewSelector()
                .addToMatchLabels(label, value)
                .endSelector()
                .endSpec()
                .withNewStatus()
                .withDisruptionsAllowed(allowed)
                .withCurrentHealthy(1)
                .withDesiredHealthy(1)
                .withExpectedPods(1)
                .withObservedGeneration(1L)
                .endStatus()
                .build();
    }
}
