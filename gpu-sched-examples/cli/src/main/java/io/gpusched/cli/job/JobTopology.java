package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How close the pods of a job must be by annotations of their templates: Kueue's topology requests, where pod sets of one group name
 * are one, and the exclusive topology of JobSet and LeaderWorkerSet, by which the pods of one job share a domain. (That no other job
 * has a pod there is a rule between pods.)
 */
public final class JobTopology {
    private static final String KUEUE = "kueue.x-k8s.io/podset-";
    private static final String REQUIRED = KUEUE + "required-topology";
    private static final String PREFERRED = KUEUE + "preferred-topology";
    private static final String GROUP = KUEUE + "group-name";

    /** What Kueue's annotations may ask beside that, and what stands in the way of it. */
    private static final Map<String, String> UNHONOURED = Map.of(
            KUEUE + "slice-required-topology", "slices of a pod set are not placed each within a domain",
            KUEUE + "slice-size", "slices of a pod set are not placed each within a domain");

    /** By the annotation for an exclusive domain: the label that names the job which has it. */
    private static final Map<String, String> EXCLUSIVE = Map.of(
            "alpha.jobset.sigs.k8s.io/exclusive-topology", "jobset.sigs.k8s.io/job-key",
            "leaderworkerset.sigs.k8s.io/exclusive-topology", "leaderworkerset.sigs.k8s.io/group-key");

    private JobTopology() {}

    /** Pods that must be close, and how close. */
    private record Close(String name, Optional<Locality> locality) {}

    /**
     * Returns a gang whose pods are as close as their annotations demand; one that names its locality itself is left as it is.
     *
     * @throws io.gpusched.manifests.yaml.InputException if an annotation is not honoured
     */
    public static Gang of(Gang gang, JobFile file) {
        if (!gang.parts().isEmpty() || !gang.locality().equals(Locality.ANYWHERE)) {
            return gang;
        }
        Map<Close, List<Gang.Role>> parts = new LinkedHashMap<>();
        for (Gang.Role role : gang.roles()) {
            Map<Close, List<PodSource>> pods = new LinkedHashMap<>();
            role.pods()
                    .forEach(pod -> pods.computeIfAbsent(close(role, pod, file), any -> new ArrayList<>())
                            .add(pod));
            pods.forEach((close, some) -> parts.computeIfAbsent(close, any -> new ArrayList<>())
                    .add(new Gang.Role(role.name(), minimum(role, some), some)));
        }
        if (parts.keySet().stream().allMatch(close -> close.locality().isEmpty())) {
            return gang;
        }
        if (parts.size() == 1) {
            return gang.withLocality(parts.keySet().iterator().next().locality().orElseThrow());
        }
        List<Gang> all = new ArrayList<>();
        parts.forEach((close, roles) -> {
            Gang part = Gang.of(gang.name() + "/" + close.name(), roles);
            all.add(close.locality().map(part::withLocality).orElse(part));
        });
        int least = all.stream().mapToInt(Gang::minimum).sum();
        return new Gang(gang.name(), least, List.of(), Locality.ANYWHERE, all);
    }

    /** Where only some of a role's pods are in a part, all of these must start as far as the role demands it. */
    private static int minimum(Gang.Role role, List<PodSource> some) {
        return role.minimum() == role.pods().size() ? some.size() : Math.min(role.minimum(), some.size());
    }

    private static Close close(Gang.Role role, PodSource source, JobFile file) {
        Map<String, String> annotations = texts(source.pod(), true);
        Map<String, String> labels = texts(source.pod(), false);
        UNHONOURED.forEach((key, problem) -> {
            if (annotations.containsKey(key)) {
                file.refuse(key, source.at().nearest("metadata.annotations." + key), problem);
            }
        });
        for (Map.Entry<String, String> exclusive : EXCLUSIVE.entrySet()) {
            String level = annotations.getOrDefault(exclusive.getKey(), "");
            String job = labels.getOrDefault(exclusive.getValue(), "");
            if (!level.isEmpty() && !job.isEmpty()) {
                return new Close(job, Optional.of(Locality.within(level)));
            }
        }
        String set = annotations.getOrDefault(GROUP, role.name());
        String required = annotations.getOrDefault(REQUIRED, "");
        String preferred = annotations.getOrDefault(PREFERRED, "");
        return !required.isEmpty()
                ? new Close(set, Optional.of(Locality.within(required)))
                : preferred.isEmpty()
                        ? new Close(set, Optional.empty())
                        : new Close(set, Optional.of(Locality.within(preferred).preferred()));
    }

    private static Map<String, String> texts(Pod pod, boolean isAnnotation) {
        return Objects.requireNonNullElse(
                isAnnotation
                        ? pod.getMetadata().getAnnotations()
                        : pod.getMetadata().getLabels(),
                Map.of());
    }

    /** Returns whether pods of a template are placed as a gang, because of how close they must be. */
    public static boolean isAsked(Pod pod) {
        Map<String, String> annotations = texts(pod, true);
        return annotations.keySet().stream()
                .anyMatch(key -> key.startsWith(KUEUE) && !key.endsWith("unconstrained-topology"));
    }

    /** Returns the gang of all pods of a template. */
    public static Gang gang(String name, List<PodSource> pods, JobFile file) {
        return of(Gang.of(name, List.of(new Gang.Role("main", pods.size(), pods))), file);
    }
}
