package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What was read of a cluster.
 *
 * @param nodes its nodes
 * @param pods its pods, ended ones too
 * @param namespaces its namespaces, where they are known
 * @param groups the groups of pods of any vocabulary, where they are known
 * @param budgets the disruption budgets of pods, where they are known
 * @param volumes volumes, claims, classes and what nodes can attach; nothing where they are not known
 */
record ClusterObjects(
        List<Node> nodes,
        List<Pod> pods,
        List<Namespace> namespaces,
        List<GenericKubernetesResource> groups,
        List<PodDisruptionBudget> budgets,
        Optional<List<HasMetadata>> volumes) {
    /** Copies the lists. */
    ClusterObjects {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        namespaces = List.copyOf(namespaces);
        groups = List.copyOf(groups);
        budgets = List.copyOf(budgets);
    }

    /** Sorts objects by kind; those of other kinds are left out. */
    static ClusterObjects of(List<? extends HasMetadata> objects, Optional<List<HasMetadata>> volumes) {
        return new ClusterObjects(
                all(Node.class, objects),
                all(Pod.class, objects).stream().map(ClusterObjects::identified).toList(),
                all(Namespace.class, objects),
                all(GenericKubernetesResource.class, objects).stream()
                        .filter(object -> "PodGroup".equals(object.getKind()))
                        .toList(),
                all(PodDisruptionBudget.class, objects),
                volumes);
    }

    private static <T> List<T> all(Class<T> type, List<? extends HasMetadata> objects) {
        List<T> all = new ArrayList<>();
        for (HasMetadata object : objects) {
            if (type.isInstance(object)) {
                all.add(type.cast(object));
            }
        }
        return all;
    }

    /** A pod of a file may lack what the API server gives it. */
    private static Pod identified(Pod pod) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default");
        String uid = Objects.requireNonNullElse(
                pod.getMetadata().getUid(), namespace + "/" + pod.getMetadata().getName());
        return pod.edit()
                .editMetadata()
                .withNamespace(namespace)
                .withUid(uid)
                .endMetadata()
                .build();
    }
}
