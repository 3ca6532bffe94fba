package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.gpusched.cli.job.JobFile;
import io.gpusched.cli.job.Jobs;
import io.gpusched.manifests.objects.ManifestException;
import io.gpusched.manifests.objects.ModelBinder;
import io.gpusched.manifests.objects.ObjectList;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of a file of Kubernetes manifests, lists taken apart. */
final class KubernetesFile implements JobFile {
    private final List<YamlNode> objects;
    private final Notes notes;
    private final ModelBinder binder;

    /** How many names of one beginning were made. */
    private final Map<String, Integer> generated = new HashMap<>();

    /**
     * Takes the documents apart.
     *
     * @throws InputException if a document has no kind
     */
    KubernetesFile(List<YamlNode> documents, Notes notes) {
        this.notes = notes;
        this.binder = new ModelBinder(field -> notes.warn(field, "unknown to Kubernetes, not looked at"));
        this.objects = ObjectList.of(documents).stream()
                .flatMap(KubernetesFile::unwrapped)
                .toList();
    }

    /** The objects that an AppWrapper creates, once its queue admits it. */
    private static Stream<YamlNode> unwrapped(YamlNode object) {
        return object.at("kind").textOr("").equals("AppWrapper")
                ? object.need("spec").need("components").list().stream().map(one -> one.need("template"))
                : Stream.of(object);
    }

    /** Returns the first object, or the document if it is an empty list. */
    YamlNode first(List<YamlNode> documents) {
        return objects.isEmpty() ? documents.get(0) : objects.get(0);
    }

    @Override
    public List<YamlNode> all() {
        return objects;
    }

    /** Returns the objects of one kind. */
    List<YamlNode> ofKind(String kind) {
        return objects.stream().filter(object -> isA(object, kind)).toList();
    }

    private static boolean isA(YamlNode object, String kind) {
        return object.need("kind").text().equals(kind) && isOfItsApi(object, kind);
    }

    /** Other APIs have kinds of the same names, such as a Job of Volcano; without a version a kind is taken for Kubernetes' own. */
    private static boolean isOfItsApi(YamlNode object, String kind) {
        String version = object.at("apiVersion").textOr("");
        return version.isEmpty()
                || switch (kind) {
                    case "Deployment", "ReplicaSet", "StatefulSet" -> version.startsWith("apps/");
                    case "CronJob", "Job" -> version.startsWith("batch/");
                    case "Namespace", "Node", "Pod", "ReplicationController" -> !version.contains("/");
                    default -> true;
                };
    }

    /**
     * Checks that all objects are of these kinds, or run nothing, or may be ignored by their kind.
     *
     * @throws InputException if one is not
     */
    void only(String use, List<String> kinds) {
        List<String> idle = new ArrayList<>();
        for (YamlNode object : objects) {
            String kind = object.need("kind").text();
            boolean isForeign = !isOfItsApi(object, kind);
            if (!isJobAmong(object, kinds) && !isTemplateAmong(object, kinds) && (isForeign || !kinds.contains(kind))) {
                String what =
                        kind + (isForeign ? " of " + object.at("apiVersion").text() : "");
                String problem = what + " is not " + use + "; known here are " + String.join(", ", kinds);
                if (!notes.mayIgnore(kind, object.at("kind"), problem)) {
                    if (!IdleKinds.runsNothing(object)) {
                        throw object.at("kind").error(problem + ". Maybe go on without it: --ignore " + kind);
                    }
                    idle.add(kind);
                }
            }
        }
        notes.skipped(objects.isEmpty() ? "" : objects.get(0).file(), idle);
    }

    /** Whether jobs of other operators are among what is expected, and this is one. */
    private static boolean isJobAmong(YamlNode object, List<String> kinds) {
        return Jobs.isOne(object) && kinds.containsAll(Jobs.kinds());
    }

    private boolean isTemplateAmong(YamlNode object, List<String> kinds) {
        return kinds.containsAll(PodTemplates.KINDS) && templates().contains(object);
    }

    /**
     * Returns the objects of kinds that are not known whose pods are those of a Deployment's fields: {@code spec.template}, the only
     * place of theirs that has containers, and {@code spec.replicas}.
     */
    List<YamlNode> templates() {
        return objects.stream()
                .filter(object -> !Jobs.isOne(object) && !isKnownName(object))
                .filter(object -> object.at("spec")
                                .at("template")
                                .at("spec")
                                .at("containers")
                                .isPresent()
                        && !object.at("spec").at("parallelism").isPresent()
                        && containers(object) == 1
                        && !notes.isIgnored(object.need("kind").text()))
                .toList();
    }

    /** What is called like a kind of Kubernetes may mean something else; and a pod on each node is not a number of pods. */
    private static boolean isKnownName(YamlNode object) {
        String kind = object.need("kind").text();
        return kind.equals("Pod") || kind.endsWith("DaemonSet") || PodTemplates.KINDS.contains(kind);
    }

    /** How many fields of an object list containers. */
    private static long containers(YamlNode value) {
        List<YamlNode> inner = value.elements() != null
                ? value.elements()
                : value.members() != null ? List.copyOf(value.members().values()) : List.of();
        return (value.members() != null && value.members().containsKey("containers") ? 1 : 0)
                + inner.stream().mapToLong(KubernetesFile::containers).sum();
    }

    /** Returns the jobs that other operators define. */
    List<YamlNode> jobs() {
        return objects.stream().filter(Jobs::isOne).toList();
    }

    @Override
    public PodTemplateSpec template(YamlNode at) {
        return bind(at, PodTemplateSpec.class);
    }

    @Override
    public void warn(YamlNode at, String problem) {
        notes.warn(at, problem);
    }

    @Override
    public void refuse(String name, YamlNode at, String problem) {
        if (!notes.mayIgnore(name, at, problem)) {
            throw at.error(problem + ". Maybe go on without it: --ignore " + name);
        }
    }

    Pod pod(YamlNode object) {
        object.need("metadata");
        Pod pod = bind(object, Pod.class);
        if (pod.getMetadata().getName() == null) {
            pod.getMetadata().setName(generated(object));
        }
        return pod;
    }

    /** Returns the name of an object that has one, or that is to be given one. */
    String name(YamlNode object) {
        YamlNode metadata = object.need("metadata");
        String generated = metadata.at("name").isPresent() ? null : generated(object);
        return generated == null ? metadata.need("name").text() : generated;
    }

    /** A name for an object that is given one by the API server, numbered where that ends it at random; null if it has no beginning. */
    private @Nullable String generated(YamlNode object) {
        YamlNode beginning = object.at("metadata").at("generateName");
        return beginning.isPresent()
                ? beginning.text() + (generated.merge(beginning.text(), 1, Integer::sum) - 1)
                : null;
    }

    /** Returns an object of a model class; fields that Kubernetes does not know become warnings. */
    @Override
    public <T> T bind(YamlNode object, Class<T> type) {
        return binder.bind(object, type);
    }

    /** Returns what is read from an object; what is wrong with it is named with its line. */
    static <T> T read(YamlNode object, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ManifestException e) {
            YamlNode at = object.nearest(e.path());
            String missing = at.path().endsWith(Objects.requireNonNull(e.path())) ? "" : e.path() + " ";
            throw at.error(missing + e.problem());
        }
    }
}
