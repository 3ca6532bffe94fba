package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.gpusched.manifests.claim.ClaimObjects;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ModelBinder;
import io.gpusched.manifests.objects.ObjectList;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

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
 * @param others all other objects
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
    private static final String GROUP = "PodGroup";

    /** The classes of the kinds that are looked at as a whole, by API group and kind. */
    private static final Map<String, Class<? extends HasMetadata>> CLASSES = Map.of(
            "/Node", Node.class,
            "/Pod", Pod.class,
            "/Namespace", Namespace.class,
            "policy/PodDisruptionBudget", PodDisruptionBudget.class,
            "/PersistentVolume", PersistentVolume.class,
            "/PersistentVolumeClaim", PersistentVolumeClaim.class,
            "storage.k8s.io/StorageClass", StorageClass.class,
            "storage.k8s.io/CSINode", CSINode.class);

    private static final Set<Class<?>> VOLUMES =
            Set.of(PersistentVolume.class, PersistentVolumeClaim.class, StorageClass.class, CSINode.class);

    /** What the kubelet takes where nothing else is configured. */
    private static final String KUBELET_PODS = "110";

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
        List<String> notes = new ArrayList<>();
        List<YamlNode> others = new ArrayList<>();
        List<GenericKubernetesResource> groups = new ArrayList<>();
        List<HasMetadata> typed = new ArrayList<>();
        ModelBinder binder = new ModelBinder();
        for (YamlNode object : distinct(ObjectList.of(documents), notes)) {
            Class<? extends HasMetadata> type = CLASSES.get(group(object) + "/" + kind(object));
            if (type == Pod.class) {
                object.need("spec");
            }
            if (type != null) {
                HasMetadata bound = binder.bind(object, type);
                typed.add(bound instanceof PersistentVolumeClaim ? spaced(bound) : bound);
            } else if (kind(object).equals(GROUP)
                    && GroupVocabulary.ofApi(object.at("apiVersion").textOr("")).isPresent()) {
                groups.add(generic(object, binder));
            } else {
                others.add(object);
            }
        }
        notes.addAll(unknown(binder.unknown()));
        List<HasMetadata> volumes =
                typed.stream().filter(one -> VOLUMES.contains(one.getClass())).toList();
        PublishedGpus published = PublishedGpus.of(
                ClaimObjects.of(others),
                all(Node.class, typed).stream().map(ClusterObjects::roomy).toList());
        return new ClusterObjects(
                published.nodes(),
                all(Pod.class, typed).stream().map(ClusterObjects::identified).toList(),
                all(Namespace.class, typed),
                groups,
                all(PodDisruptionBudget.class, typed).stream()
                        .map(ClusterObjects::spaced)
                        .toList(),
                volumes.isEmpty() ? Optional.empty() : Optional.of(volumes),
                published,
                others,
                notes);
    }

    /**
     * Returns these objects with more nodes like one that is there: empty but for the pods that belong to their node, ready and open.
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
        for (int i = 1; i <= count; i++) {
            String name = like + "-added-" + i;
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
                .removeMatchingFromTaints(
                        taint -> String.valueOf(taint.getKey()).startsWith("node.kubernetes.io/"))
                .endSpec()
                .build();
        if (copy.getStatus() != null) {
            copy.getStatus().setConditions(List.of());
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

    /** Fields that Kubernetes does not have, those of one name in one sentence. */
    private static List<String> unknown(List<YamlNode> fields) {
        Map<String, List<YamlNode>> byName = new LinkedHashMap<>();
        for (YamlNode field : fields) {
            String name = field.path().replaceAll("\\[[0-9]+]", "[]").replaceFirst("^(items)?(\\[])+\\.", "");
            byName.computeIfAbsent(name, any -> new ArrayList<>()).add(field);
        }
        return byName.values().stream()
                .map(alike -> alike.get(0).place() + ": unknown to Kubernetes, not looked at"
                        + (alike.size() == 1 ? "" : " (and " + (alike.size() - 1) + " more like it)"))
                .toList();
    }

    private static String kind(YamlNode object) {
        return object.need("kind").text();
    }

    private static String group(YamlNode object) {
        String version = object.at("apiVersion").textOr("");
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    /** The objects, each once: where two have one name the last, as it is the newer in all that kubectl prints. */
    private static List<YamlNode> distinct(List<YamlNode> objects, List<String> notes) {
        Map<List<String>, YamlNode> distinct = new LinkedHashMap<>();
        for (YamlNode object : objects) {
            YamlNode metadata = object.need("metadata");
            String name = metadata.need("name").text();
            String namespace = metadata.at("namespace").textOr("default");
            YamlNode before = distinct.put(List.of(group(object), kind(object), namespace, name), object);
            if (before != null && !before.plain().equals(object.plain())) {
                notes.add(kind(object) + " " + (metadata.at("namespace").isPresent() ? namespace + "/" : "") + name
                        + " stands there twice and differs, the later one is taken: " + before.place() + " and "
                        + object.place());
            }
        }
        return List.copyOf(distinct.values());
    }

    private static <T> List<T> all(Class<T> type, List<? extends HasMetadata> objects) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static GenericKubernetesResource generic(YamlNode object, ModelBinder binder) {
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setApiVersion(object.need("apiVersion").text());
        generic.setKind(kind(object));
        ObjectMeta metadata = binder.bind(object.need("metadata"), ObjectMeta.class);
        metadata.setNamespace(Objects.requireNonNullElse(metadata.getNamespace(), "default"));
        generic.setMetadata(metadata);
        Map<String, Object> rest = new HashMap<>();
        object.map().forEach((name, value) -> {
            if (value.isPresent() && !Set.of("apiVersion", "kind", "metadata").contains(name)) {
                rest.put(name, value.plain());
            }
        });
        generic.setAdditionalProperties(rest);
        return generic;
    }

    /** A node that is written by hand may leave out how many pods it takes. */
    private static Node roomy(Node node) {
        boolean isStated =
                node.getStatus() == null || node.getStatus().getAllocatable().containsKey("pods");
        return isStated
                ? node
                : node.edit()
                        .editStatus()
                        .addToAllocatable("pods", new Quantity(KUBELET_PODS))
                        .endStatus()
                        .build();
    }

    /** An object of a file may lack the namespace that the API server gives it. */
    private static <T extends HasMetadata> T spaced(T object) {
        ObjectMeta metadata = object.getMetadata();
        metadata.setNamespace(Objects.requireNonNullElse(metadata.getNamespace(), "default"));
        return object;
    }

    /** A pod of a file may lack what the API server gives it. */
    private static Pod identified(Pod pod) {
        ObjectMeta metadata = spaced(pod).getMetadata();
        metadata.setUid(
                Objects.requireNonNullElse(metadata.getUid(), metadata.getNamespace() + "/" + metadata.getName()));
        return pod;
    }
}
