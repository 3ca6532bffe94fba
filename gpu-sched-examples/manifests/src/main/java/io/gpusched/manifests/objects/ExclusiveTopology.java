package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Annotations of JobSet and LeaderWorkerSet by which each job has a domain of a node label for itself: required affinity to the pods
 * of the own job, and required anti-affinity to those of all other jobs of the namespace, as their webhooks write it on the first pod
 * of a job. They write it for all namespaces; an annotation alone, which any tenant may write, excludes no other tenant. A pod on which a webhook has written that, or the node selector of those that come after the first, is left as it is.
 */
public final class ExclusiveTopology {
    /** By which JobSet says that nodes were labelled and tainted for its jobs beforehand, and pods select them. */
    private static final String BY_NODE_SELECTOR = "alpha.jobset.sigs.k8s.io/node-selector";

    /** The annotation that names the node label, and the label of pods that names the job. */
    private record Key(String annotation, String job) {}

    /** The innermost first. */
    private static final List<Key> KEYS = List.of(
            new Key("alpha.jobset.sigs.k8s.io/exclusive-topology", "jobset.sigs.k8s.io/job-key"),
            new Key(
                    "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology",
                    "leaderworkerset.sigs.k8s.io/subgroup-key"),
            new Key("leaderworkerset.sigs.k8s.io/exclusive-topology", "leaderworkerset.sigs.k8s.io/group-key"));

    /**
     * What a pod's annotations demand.
     *
     * @param level the node label, one domain of which the job has for itself
     * @param job the job
     */
    public record Domain(String level, String job) {}

    private ExclusiveTopology() {}

    /** Returns the narrowest domain that the annotations of a pod demand. */
    public static Optional<Domain> of(Pod pod) {
        return KEYS.stream()
                .filter(key -> !topology(pod, key).isEmpty() && !job(pod, key).isEmpty())
                .map(key -> new Domain(topology(pod, key), job(pod, key)))
                .findFirst();
    }

    /** Returns the annotation of a pod that names no job; empty if there is none. */
    static String withoutJob(Pod pod) {
        return KEYS.stream()
                .filter(key -> !topology(pod, key).isEmpty() && job(pod, key).isEmpty())
                .map(Key::annotation)
                .findFirst()
                .orElse("");
    }

    /** Returns the affinity of a pod with what its annotations add; null if it has none. */
    static @Nullable Affinity affinity(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        for (Key key : KEYS) {
            String topology = topology(pod, key);
            if (!topology.isEmpty() && !job(pod, key).isEmpty() && !isWritten(pod, topology)) {
                affinity = with(affinity, key.job(), job(pod, key), topology);
            }
        }
        return affinity;
    }

    private static String topology(Pod pod, Key key) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        return annotations.containsKey(BY_NODE_SELECTOR) ? "" : annotations.getOrDefault(key.annotation(), "");
    }

    private static String job(Pod pod, Key key) {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
                .getOrDefault(key.job(), "");
    }

    private static boolean isWritten(Pod pod, String topology) {
        Affinity affinity = pod.getSpec().getAffinity();
        Map<String, String> selector = pod.getSpec().getNodeSelector();
        return selector != null && selector.containsKey(topology)
                || affinity != null
                        && affinity.getPodAntiAffinity() != null
                        && affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream()
                                .anyMatch(term -> topology.equals(term.getTopologyKey()));
    }

    private static Affinity with(@Nullable Affinity affinity, String label, String job, String topology) {
        LabelSelector own = new LabelSelectorBuilder()
                .addToMatchExpressions(new LabelSelectorRequirement(label, "In", List.of(job)))
                .build();
        LabelSelector others = new LabelSelectorBuilder()
                .addToMatchExpressions(new LabelSelectorRequirement(label, "Exists", List.of()))
                .addToMatchExpressions(new LabelSelectorRequirement(label, "NotIn", List.of(job)))
                .build();
        return new AffinityBuilder(affinity)
                .editOrNewPodAffinity()
                .addToRequiredDuringSchedulingIgnoredDuringExecution(term(own, topology))
                .endPodAffinity()
                .editOrNewPodAntiAffinity()
                .addToRequiredDuringSchedulingIgnoredDuringExecution(term(others, topology))
                .endPodAntiAffinity()
                .build();
    }

    private static PodAffinityTerm term(LabelSelector pods, String topology) {
        return new PodAffinityTermBuilder()
                .withLabelSelector(pods)
                .withTopologyKey(topology)
                .build();
    }
}
