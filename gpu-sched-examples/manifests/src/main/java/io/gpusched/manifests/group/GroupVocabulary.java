package io.gpusched.manifests.group;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpusched.dialect.t9k.T9kDialect;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The APIs of group objects that a cluster may have, and how a pod says that it belongs to one. */
public enum GroupVocabulary {
    /** Kubernetes itself: {@code spec.schedulingGroup.podGroupName}. */
    KUBERNETES("scheduling.k8s.io", "v1beta1") {
        @Override
        @Nullable
        String nameOf(Pod pod) {
            return pod.getSpec().getSchedulingGroup() == null
                    ? null
                    : pod.getSpec().getSchedulingGroup().getPodGroupName();
        }
    },
    /** The coscheduling plugin: label {@code scheduling.x-k8s.io/pod-group}. */
    COSCHEDULING("scheduling.x-k8s.io", "v1alpha1") {
        @Override
        @Nullable
        String nameOf(Pod pod) {
            return of(pod.getMetadata().getLabels(), "scheduling.x-k8s.io/pod-group");
        }
    },
    /** Volcano: annotation {@code scheduling.k8s.io/group-name}. */
    VOLCANO("scheduling.volcano.sh", "v1beta1") {
        @Override
        @Nullable
        String nameOf(Pod pod) {
            return of(pod.getMetadata().getAnnotations(), "scheduling.k8s.io/group-name");
        }
    },
    /** T9k: label {@value T9kDialect#GROUP_NAME}. */
    T9K("scheduler.tensorstack.dev", "v1beta1") {
        @Override
        @Nullable
        String nameOf(Pod pod) {
            return of(pod.getMetadata().getLabels(), T9kDialect.GROUP_NAME);
        }
    },
    /** KAI: annotation {@code pod-group-name}. */
    KAI("scheduling.run.ai", "v2alpha2") {
        @Override
        @Nullable
        String nameOf(Pod pod) {
            return of(pod.getMetadata().getAnnotations(), "pod-group-name");
        }
    };

    /** Annotation of a group: the node label; all its pods must have the same value. */
    public static final String WITHIN = "gpu-sched.io/within";

    /** Annotation of a group: the node label; its pods should have the same value. */
    public static final String PREFERABLY_WITHIN = "gpu-sched.io/preferably-within";

    /** Label of a group: the queue that it is in, whatever its own field says. */
    private static final String QUEUE = "gpu-sched.io/queue";

    private final String apiGroup;
    private final String version;

    GroupVocabulary(String apiGroup, String version) {
        this.apiGroup = apiGroup;
        this.version = version;
    }

    /** The group's name as a pod states it, or null. */
    abstract @Nullable String nameOf(Pod pod);

    private static @Nullable String of(@Nullable Map<String, String> texts, String key) {
        return texts == null ? null : texts.get(key);
    }

    /** Returns the group and version of the API, such as {@code scheduling.k8s.io/v1beta1}. */
    public String apiVersion() {
        return apiGroup + "/" + version;
    }

    /** Returns the words on a group that is not there, which follow its name. */
    public String notFound() {
        return " of " + apiVersion() + " not found"
                + (this == KUBERNETES
                        ? ""
                        : ". Maybe the scheduler may not read it: deploy/groups/" + name().toLowerCase(Locale.ROOT));
    }

    /** Returns how a client finds the group objects. */
    public ResourceDefinitionContext context() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(apiGroup)
                .withVersion(version)
                .withKind("PodGroup")
                .withPlural("podgroups")
                .withNamespaced(true)
                .build();
    }

    /** Returns the group that a pod names, by the first vocabulary in which it names one. */
    public static Optional<GroupKey> groupOf(Pod pod) {
        for (GroupVocabulary vocabulary : values()) {
            String name = vocabulary.nameOf(pod);
            if (name != null && !name.isEmpty()) {
                String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default");
                return Optional.of(new GroupKey(vocabulary, namespace, name));
            }
        }
        return Optional.empty();
    }

    /** Returns the vocabulary of an API version, such as {@code scheduling.volcano.sh/v1beta1}; empty if none here has it. */
    public static Optional<GroupVocabulary> ofApi(String apiVersion) {
        return Stream.of(values())
                .filter(one -> apiVersion.startsWith(one.apiGroup + "/"))
                .findFirst();
    }

    /** Returns the role that a pod states, whatever text that is; empty where it states none. */
    public String roleOf(Map<String, String> labels, Map<String, String> annotations) {
        return switch (this) {
            case T9K -> labels.getOrDefault(T9kDialect.ROLE, "");
            case VOLCANO -> annotations.getOrDefault("volcano.sh/task-spec", "");
            case KAI -> labels.getOrDefault("kai.scheduler/subgroup-name", "");
            default -> "";
        };
    }

    /**
     * Returns what a group object demands. What cannot be read or is not honoured is its {@link GroupSpec#problem}, so that
     * its pods wait and say why.
     */
    public GroupSpec read(GenericKubernetesResource object) {
        ObjectMeta metadata = object.getMetadata();
        GroupKey key = new GroupKey(this, metadata.getNamespace(), metadata.getName());
        String uid = Objects.requireNonNullElse(metadata.getUid(), "");
        Fields spec = Fields.of(object.getAdditionalProperties()).at("spec");
        try {
            GroupSpec group = switch (this) {
                case KUBERNETES -> GroupFields.kubernetes(key, uid, spec);
                case COSCHEDULING -> GroupFields.coscheduling(key, uid, spec);
                case VOLCANO -> GroupFields.volcano(key, uid, spec);
                case T9K -> GroupFields.t9k(key, uid, spec);
                case KAI -> GroupFields.kai(key, uid, spec);
            };
            String queue = of(metadata.getLabels(), QUEUE);
            return withAnnotated(
                    queue == null ? group : group.inQueue(queue),
                    Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            return new GroupSpec(key, uid, 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), problem);
        }
    }

    /** Returns the status of a group object; empty if it has none. */
    public static Map<String, Object> status(GenericKubernetesResource object) {
        Map<String, Object> status = new LinkedHashMap<>();
        if (object.getAdditionalProperties().get("status") instanceof Map<?, ?> map) {
            map.forEach((key, value) -> status.put(String.valueOf(key), value));
        }
        return status;
    }

    /** What annotations say of locality goes with any vocabulary, but not beside what its own field says. */
    private static GroupSpec withAnnotated(GroupSpec group, Map<String, String> annotations) {
        GroupLocality annotated =
                GroupLocality.of(annotated(annotations, WITHIN), annotated(annotations, PREFERABLY_WITHIN));
        if (annotated.equals(GroupLocality.ANYWHERE)) {
            return group;
        }
        return group.locality().equals(GroupLocality.ANYWHERE)
                ? group.withAffinity(annotated)
                : group.withProblem("annotations " + WITHIN + " and " + PREFERABLY_WITHIN
                        + " do not go with a topology in the spec. Maybe name both levels by the annotations");
    }

    private static String annotated(Map<String, String> annotations, String key) {
        return new Fields("annotation " + key, annotations.get(key)).label();
    }
}
