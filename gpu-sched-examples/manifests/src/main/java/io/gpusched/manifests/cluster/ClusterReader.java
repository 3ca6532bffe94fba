package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Container;
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
import io.gpusched.dialect.NodeManifest;
import io.gpusched.manifests.claim.ClaimObjects;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.group.HyperNodes;
import io.gpusched.manifests.objects.ModelBinder;
import io.gpusched.manifests.objects.ObjectList;
import io.gpusched.manifests.yaml.DocumentSink;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sorts the objects of a cluster by kind while they are read. Of each only what decisions look at is kept. */
public final class ClusterReader implements DocumentSink {
    private static final String GROUP = "PodGroup";
    private static final String HYPER_NODE = "HyperNode";

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

    private final Consumer<YamlNode> each;
    private final ObjectList lists = new ObjectList(this::add);
    private final List<YamlNode> otherForm = new ArrayList<>();
    private final ModelBinder binder = new ModelBinder(this::unknown);
    private final Map<Name, Kept> kept = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** By name the fields that Kubernetes does not have: where the first is, and how many. */
    private final Map<String, Unknown> unknown = new LinkedHashMap<>();

    private record Name(String group, String kind, String namespace, String name) {}

    /**
     * An object.
     *
     * @param value what is kept of it: an object of a model class, or a node; nothing where it is not looked at
     * @param place where it stands
     */
    private record Kept(Optional<Object> value, String place) {}

    private record Unknown(String place, int count) {}

    private @Nullable YamlNode firstKind;

    /** Starts without objects. */
    public ClusterReader() {
        this(object -> {});
    }

    /**
     * Starts without objects.
     *
     * @param each is shown each object as it is written
     */
    public ClusterReader(Consumer<YamlNode> each) {
        this.each = Objects.requireNonNull(each, "each");
    }

    @Override
    public boolean item(YamlNode item, Map<String, YamlNode> around) {
        return lists.item(item, around);
    }

    @Override
    public void document(YamlNode document) {
        if (firstKind == null && !ObjectList.isOne(document)) {
            otherForm.add(document);
            return;
        }
        if (firstKind == null) {
            firstKind = document.elements() == null ? document.at("kind") : document;
        }
        lists.document(document);
    }

    /** Returns the documents of a file that begins with something else than objects of Kubernetes; empty for one that does not. */
    public List<YamlNode> otherForm() {
        return List.copyOf(otherForm);
    }

    /** Returns the kind of the first object, or of a list of none; nothing where the file is in another form. */
    public Optional<YamlNode> firstKind() {
        return Optional.ofNullable(firstKind);
    }

    /** Keeps an object: where two have one name the last, as it is the newer in all that kubectl prints. */
    private void add(YamlNode object) {
        each.accept(object);
        firstKind = firstKind == null ? object.at("kind") : firstKind;
        YamlNode metadata = object.need("metadata");
        String name = metadata.need("name").text();
        String namespace = metadata.at("namespace").textOr("default");
        Optional<Object> value = value(object);
        Kept before = kept.put(
                new Name(group(object).intern(), kind(object).intern(), namespace.intern(), name),
                new Kept(value, object.place()));
        if (before != null && !same(before.value(), value)) {
            notes.add(kind(object) + " " + (metadata.at("namespace").isPresent() ? namespace + "/" : "") + name
                    + " stands there twice and differs, the later one is taken: " + before.place() + " and "
                    + object.place());
        }
    }

    private static boolean same(Optional<Object> one, Optional<Object> other) {
        return one.map(ClusterReader::plain).equals(other.map(ClusterReader::plain));
    }

    private static Object plain(Object value) {
        return value instanceof YamlNode node ? node.plain() : value;
    }

    private Optional<Object> value(YamlNode object) {
        String group = group(object);
        Class<? extends HasMetadata> type = CLASSES.get(group + "/" + kind(object));
        if (type == Pod.class) {
            object.need("spec");
        }
        if (type != null) {
            return Optional.of(completed(binder.bind(object, type)));
        }
        boolean isGroup = kind(object).equals(GROUP)
                && GroupVocabulary.ofApi(object.at("apiVersion").textOr("")).isPresent();
        if (isGroup || kind(object).equals(HYPER_NODE) && group.equals(HyperNodes.API_GROUP)) {
            return Optional.of(generic(object));
        }
        return isLookedAt(group, kind(object)) ? Optional.of(object) : Optional.empty();
    }

    private static boolean isLookedAt(String group, String kind) {
        return group.equals("resource.k8s.io")
                || kind.equals("Job")
                || kind.equals(Admission.RUNTIME_CLASS)
                || kind.equals(Admission.PRIORITY_CLASS)
                || group.isEmpty() && (kind.equals("ResourceQuota") || kind.equals("LimitRange"));
    }

    /**
     * Returns what was read.
     *
     * @throws io.gpusched.manifests.yaml.InputException if the file is in another form
     */
    public ClusterObjects objects() {
        otherForm.forEach(lists::document);
        List<HasMetadata> volumes = new ArrayList<>();
        VOLUMES.forEach(type ->
                kept(HasMetadata.class).stream().filter(type::isInstance).forEach(volumes::add));
        List<String> all = new ArrayList<>(notes);
        unknown.forEach((name, of) -> all.add(of.place() + ": unknown to Kubernetes, not looked at"
                + (of.count() == 1 ? "" : " (and " + (of.count() - 1) + " more like it)")));
        PublishedGpus published = PublishedGpus.of(ClaimObjects.of(kept(YamlNode.class)), nodes());
        return new ClusterObjects(
                published.nodes(),
                kept(Pod.class),
                kept(Namespace.class),
                kept(GenericKubernetesResource.class).stream()
                        .filter(object -> !object.getKind().equals(HYPER_NODE))
                        .toList(),
                kept(PodDisruptionBudget.class),
                volumes.isEmpty() ? Optional.empty() : Optional.of(volumes),
                published,
                kept(YamlNode.class),
                all);
    }

    /** The nodes, with the labels by which groups find the tiers of Volcano's hyper nodes. */
    private List<Node> nodes() {
        HyperNodes tiers = new HyperNodes();
        kept(GenericKubernetesResource.class).stream()
                .filter(object -> object.getKind().equals(HYPER_NODE))
                .forEach(tiers::put);
        return kept(Node.class).stream()
                .map(node -> {
                    Map<String, String> labels =
                            Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
                    NodeManifest bare = NodeManifest.of(node.getMetadata().getName(), labels, Map.of());
                    NodeManifest extended = tiers.extend(bare);
                    return extended.equals(bare)
                            ? node
                            : node.edit()
                                    .editMetadata()
                                    .withLabels(extended.labels())
                                    .endMetadata()
                                    .build();
                })
                .toList();
    }

    private <T> List<T> kept(Class<T> type) {
        return kept.values().stream()
                .flatMap(one -> one.value().stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void unknown(YamlNode field) {
        String name = field.path().replaceAll("\\[[0-9]+]", "[]").replaceFirst("^(items)?(\\[])+\\.", "");
        unknown.merge(
                name,
                new Unknown(field.place(), 1),
                (had, more) -> new Unknown(had.place(), had.count() + more.count()));
    }

    private static String kind(YamlNode object) {
        return object.need("kind").text();
    }

    private static String group(YamlNode object) {
        String version = object.at("apiVersion").textOr("");
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    /** An object with what the API server gives it, and without what no decision looks at. */
    private static HasMetadata completed(HasMetadata object) {
        object.getMetadata().setManagedFields(List.of());
        if (object instanceof Node node) {
            return roomy(node);
        }
        if (object instanceof Pod pod) {
            return identified(pod);
        }
        return object instanceof PersistentVolumeClaim || object instanceof PodDisruptionBudget
                ? spaced(object)
                : object;
    }

    private GenericKubernetesResource generic(YamlNode object) {
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setApiVersion(object.need("apiVersion").text());
        generic.setKind(kind(object));
        generic.setMetadata(binder.bind(object.need("metadata"), ObjectMeta.class));
        spaced(generic).getMetadata().setManagedFields(List.of());
        Map<String, Object> rest = new HashMap<>();
        object.map().forEach((name, value) -> {
            if (value.isPresent() && !Set.of("apiVersion", "kind", "metadata").contains(name)) {
                rest.put(name, value.plain());
            }
        });
        generic.setAdditionalProperties(rest);
        return generic;
    }

    /**
     * A node that is written by hand may leave out how many pods it takes; where it leaves out what is allocatable, all is, as the API
     * server takes it.
     */
    private static Node roomy(Node node) {
        if (node.getStatus() != null) {
            node.getStatus().setImages(List.of());
            if (node.getStatus().getAllocatable().isEmpty()) {
                node.getStatus()
                        .setAllocatable(new LinkedHashMap<>(node.getStatus().getCapacity()));
            }
            if (!node.getStatus().getAllocatable().containsKey("pods")) {
                return node.edit()
                        .editStatus()
                        .addToAllocatable("pods", new Quantity(KUBELET_PODS))
                        .endStatus()
                        .build();
            }
        }
        return node;
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
        pod.getSpec().getInitContainers().forEach(ClusterReader::lighten);
        pod.getSpec().getContainers().forEach(ClusterReader::lighten);
        return pod;
    }

    /** Takes from a container what it runs, which no decision looks at. */
    private static void lighten(Container container) {
        container.setArgs(List.of());
        container.setCommand(List.of());
        container.setEnv(List.of());
        container.setEnvFrom(List.of());
        container.setVolumeMounts(List.of());
        container.setLivenessProbe(null);
        container.setReadinessProbe(null);
        container.setStartupProbe(null);
        container.setLifecycle(null);
        container.setSecurityContext(null);
    }
}
