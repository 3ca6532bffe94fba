package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What was read of a cluster. Which kind an object is of is what its text says, whatever classes a client has for it.
 *
 * @param nodes its nodes, with the GPUs that drivers publish in slices
 * @param pods its pods, ended ones too
 * @param namespaces its namespaces, where they are known
 * @param groups the groups of pods of any vocabulary, where they are known
 * @param budgets the disruption budgets of pods, where they are known
 * @param volumes volumes, claims, classes and what nodes can attach; nothing where they are not known
 * @param published the GPUs that drivers publish, with all objects of dynamic resource allocation
 * @param others the other objects that are looked at: jobs of Kubernetes, quotas, ranges of limits, classes of runtimes and
 *     priorities, and what belongs to
 *     dynamic resource allocation
 * @param notes what has to be said of the objects
 */
public record ClusterObjects(
        List<Node> nodes,
        List<Pod> pods,
        List<Namespace> namespaces,
        List<GenericKubernetesResource> groups,
        List<PodDisruptionBudget> budgets,
        Optional<List<HasMetadata>> volumes,
        PublishedGpus published,
        List<YamlNode> others,
        List<String> notes) {
    /** Taints that a new node does not have: of states that pass, and of nodes that an autoscaler is about to remove. */
    private static final Pattern OF_A_STATE = Pattern.compile("node(\\.cloudprovider)?\\.kubernetes\\.io/.*"
            + "|(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler|karpenter\\.sh/disrupt(ed|ion)");

    /** Copies the lists. */
    public ClusterObjects {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        namespaces = List.copyOf(namespaces);
        groups = List.copyOf(groups);
        budgets = List.copyOf(budgets);
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /**
     * Sorts objects by kind. Of an object that stands there twice the last counts.
     *
     * @param documents the documents of a file, or what the API server returned; lists are taken apart
     * @throws io.gpusched.manifests.yaml.InputException if one is no object, or a field has the wrong type
     */
    public static ClusterObjects of(List<YamlNode> documents) {
        ClusterReader reader = new ClusterReader();
        documents.forEach(reader::document);
        return reader.objects();
    }

    /**
     * Reads a file of any size: one of its objects is in memory as it is written at a time.
     *
     * @throws io.gpusched.manifests.yaml.InputException as {@link #of}, or if it cannot be read
     */
    public static ClusterObjects read(Path file) {
        return YamlReader.read(file, ClusterReader::new).objects();
    }

    /**
     * Returns these objects with more nodes like one that is there: empty but for the pods that belong to their node, ready, open and with
     * all their devices in order.
     *
     * @param count how many
     * @param like the node that they are like
     * @throws IllegalArgumentException if there is no such node
     */
    public ClusterObjects adding(int count, String like) {
        Node template = nodes.stream()
                .filter(node -> node.getMetadata().getName().equals(like))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no node \"" + like + "\" to add more of"));
        List<Node> more = new ArrayList<>(nodes);
        List<Pod> residents = new ArrayList<>(pods);
        Set<String> names =
                nodes.stream().map(node -> node.getMetadata().getName()).collect(Collectors.toSet());
        int number = 0;
        for (int i = 1; i <= count; i++) {
            String name;
            do {
                number++;
                name = like + "-added-" + number;
            } while (names.contains(name));
            more.add(copy(template, name));
            for (Pod pod : pods) {
                if (like.equals(SeenCluster.nodeOf(pod)) && !SeenCluster.hasEnded(pod) && ResidentPods.isOfNode(pod)) {
                    residents.add(copy(pod, name));
                }
            }
        }
        return new ClusterObjects(more, residents, namespaces, groups, budgets, volumes, published, others, notes);
    }

    private static Node copy(Node template, String name) {
        Node copy = template.edit()
                .editMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .editOrNewSpec()
                .withUnschedulable(false)
                .removeMatchingFromTaints(taint ->
                        OF_A_STATE.matcher(String.valueOf(taint.getKey())).matches())
                .endSpec()
                .build();
        if (copy.getStatus() != null) {
            copy.getStatus().setConditions(List.of());
            Map<String, Quantity> given =
                    new HashMap<>(Objects.requireNonNullElse(copy.getStatus().getAllocatable(), Map.of()));
            Objects.requireNonNullElse(copy.getStatus().getCapacity(), Map.<String, Quantity>of())
                    .forEach((resource, amount) ->
                            given.computeIfPresent(resource, (key, had) -> key.contains("/") ? amount : had));
            copy.getStatus().setAllocatable(given);
        }
        return copy;
    }

    private static Pod copy(Pod pod, String node) {
        String name = pod.getMetadata().getName() + "-" + node;
        return pod.edit()
                .editMetadata()
                .withName(name)
                .withUid(name)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }
}
