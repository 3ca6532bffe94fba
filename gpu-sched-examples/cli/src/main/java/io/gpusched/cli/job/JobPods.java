package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job, and the pods that its operator makes from its templates. */
public final class JobPods {
    /** So many pods of one template are made at most. */
    public static final int MAX_PODS = 1_000_000;

    /** What a component of an InferenceService has of a pod's spec. */
    private static final Set<String> POD_FIELDS = Set.of(
            "affinity",
            "containers",
            "initContainers",
            "nodeSelector",
            "priority",
            "priorityClassName",
            "resourceClaims",
            "runtimeClassName",
            "schedulerName",
            "schedulingGates",
            "tolerations",
            "topologySpreadConstraints",
            "volumes");

    private final YamlNode object;
    private final JobFile file;

    JobPods(YamlNode object, JobFile file) {
        this.object = object;
        this.file = file;
    }

    String kind() {
        return object.need("kind").text();
    }

    YamlNode spec() {
        return object.need("spec");
    }

    /** The job's name; one that the API server would make up begins like this. */
    String name() {
        YamlNode metadata = object.need("metadata");
        return metadata.at("generateName").isPresent() && !metadata.at("name").isPresent()
                ? metadata.at("generateName").text() + "0"
                : metadata.need("name").text();
    }

    /** A number of pods. */
    int count(YamlNode at, int absent) {
        int count = at.integerOr(absent);
        if (count < 0 || count > MAX_PODS) {
            throw at.error("must be in 0.." + MAX_PODS + ", got " + count);
        }
        return count;
    }

    /** How many of all pods must start: as many as the field says, and all where it says nothing. */
    int minimum(YamlNode at, int all) {
        int least = at.integerOr(all);
        if (least < 0 || least > all) {
            throw at.error("must be in 0.." + all + ", the number of pods, got " + least);
        }
        return Math.max(1, least);
    }

    /** A job that is suspended starts no pods until its operator or a queue lets it. */
    void refuseSuspended(YamlNode spec) {
        if (spec.at("suspend").isTrue()) {
            file.refuse("spec.suspend", spec.at("suspend"), "a suspended job starts no pods");
        }
    }

    /** Refuses a field where it is there. */
    void refuse(String name, YamlNode at, String problem) {
        if (at.isPresent()) {
            file.refuse(name, at, problem);
        }
    }

    /**
     * Gives the pods of one job what keeps them in one domain and other jobs out of it, where an annotation asks for that: the
     * annotation, and the label by which the operator names the job of a pod.
     */
    static void exclude(List<PodSource> pods, YamlNode metadata, String annotation, String label, String job) {
        String level = metadata.at("annotations").at(annotation).textOr("");
        if (!level.isEmpty()) {
            pods.forEach(pod -> annotate(pod, annotation, level));
            for (PodSource source : pods) {
                ObjectMeta pod = source.pod().getMetadata();
                pod.setLabels(with(pod.getLabels(), label, job));
            }
        }
    }

    /** Gives a pod an annotation. */
    static void annotate(PodSource source, String annotation, String value) {
        ObjectMeta pod = source.pod().getMetadata();
        pod.setAnnotations(with(pod.getAnnotations(), annotation, value));
    }

    private static Map<String, String> with(@Nullable Map<String, String> map, String key, String value) {
        Map<String, String> changed = new TreeMap<>(Objects.requireNonNullElse(map, Map.of()));
        changed.put(key, value);
        return changed;
    }

    /** All objects of the file. */
    List<YamlNode> others() {
        return file.all();
    }

    YamlNode metadata() {
        return object.need("metadata");
    }

    void warn(YamlNode at, String problem) {
        file.warn(at, problem);
    }

    /** The pods {@code prefix-0}, {@code prefix-1} and so on. */
    List<PodSource> pods(String prefix, int count, YamlNode template) {
        return pods(prefix, 0, count, template);
    }

    /** The pods with these numbers, from one up to before another. */
    List<PodSource> pods(String prefix, int from, int to, YamlNode template) {
        PodTemplateSpec read = to > from ? file.template(template) : new PodTemplateSpec();
        String namespace = object.need("metadata").at("namespace").textOr("default");
        List<PodSource> pods = new ArrayList<>();
        for (int i = from; i < to; i++) {
            pods.add(new PodSource(template, pod(prefix + "-" + i, namespace, read)));
        }
        return pods;
    }

    /** One pod of a template. */
    PodSource pod(String name, YamlNode template) {
        String namespace = object.need("metadata").at("namespace").textOr("default");
        return new PodSource(template, pod(name, namespace, file.template(template)));
    }

    /** One pod of a template that was made of what stands at a place. */
    PodSource made(String name, YamlNode at, PodTemplateSpec template) {
        String namespace = object.need("metadata").at("namespace").textOr("default");
        return new PodSource(at, pod(name, namespace, template));
    }

    /** What a container asks. */
    ResourceRequirements resources(YamlNode at) {
        return file.bind(at, ResourceRequirements.class);
    }

    /** A pod's spec, without fields that are not part of a spec. */
    PodSpec podSpec(YamlNode at) {
        Map<String, YamlNode> members = new LinkedHashMap<>(at.map());
        members.keySet().retainAll(POD_FIELDS);
        return file.bind(
                new YamlNode(at.file(), at.line(), at.path(), YamlNode.Kind.MAPPING, members, null, null),
                PodSpec.class);
    }

    /** The template of pods of this spec. */
    PodTemplateSpec template(YamlNode spec) {
        PodTemplateSpec template = new PodTemplateSpec();
        template.setSpec(file.bind(spec, PodSpec.class));
        return template;
    }

    /** Returns a pod that is made from a template. */
    public static Pod pod(String name, String namespace, PodTemplateSpec template) {
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(name);
        metadata.setNamespace(namespace);
        if (template.getMetadata() != null) {
            metadata.setLabels(template.getMetadata().getLabels());
            metadata.setAnnotations(template.getMetadata().getAnnotations());
        }
        Pod pod = new Pod();
        pod.setMetadata(metadata);
        pod.setSpec(template.getSpec());
        return pod;
    }
}
