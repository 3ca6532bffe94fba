package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.objects.ExclusiveTopology;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How close the pods of a job must be by annotations of their templates: Kueue's topology requests, where pod sets of one group name
 * are one and a pod set may be cut into slices, and the exclusive topology of JobSet and LeaderWorkerSet, by which the pods of one job
 * share a domain. (That no other job has a pod there is a rule between pods.)
 */
public final class JobTopology {
    private static final String KUEUE = "kueue.x-k8s.io/podset-";
    static final String REQUIRED = KUEUE + "required-topology";
    static final String PREFERRED = KUEUE + "preferred-topology";
    static final String GROUP = KUEUE + "group-name";
    static final String SLICE = KUEUE + "slice-required-topology";
    static final String SLICE_SIZE = KUEUE + "slice-size";

    /** Slices of slices. */
    static final String LAYERS = SLICE + "-constraints";

    private JobTopology() {}

    /** Pods that must be close, and how close. */
    private record Close(String name, Optional<Locality> locality, Optional<Slices> slices) {
        Close(String name, Optional<Locality> locality) {
            this(name, locality, Optional.empty());
        }

        boolean isAsked() {
            return locality.isPresent() || slices.isPresent();
        }

        /** Returns a gang as close as this asks; slices are parts of it, in the order of its pods. */
        Gang of(Gang gang) {
            Locality whole = locality.orElse(Locality.ANYWHERE);
            if (slices.isEmpty()) {
                return gang.withLocality(whole);
            }
            List<Gang> parts = new ArrayList<>();
            List<PodSource> pods = gang.pods();
            int size = slices.get().size();
            for (int from = 0; from < pods.size(); from += size) {
                List<PodSource> slice = pods.subList(from, from + size);
                parts.add(Gang.of(gang.name() + "/slice " + from / size, List.of(new Gang.Role("slice", size, slice)))
                        .withLocality(Locality.within(slices.get().level())));
            }
            return new Gang(gang.name(), pods.size(), List.of(), whole, parts, gang.after());
        }
    }

    /** Slices of so many pods, each within one domain of a level. */
    private record Slices(String level, int size) {}

    /**
     * Returns a gang whose pods are as close as their annotations demand; one that names its locality itself is left as it is.
     *
     * @throws io.gpusched.manifests.yaml.InputException if an annotation is not honoured
     */
    public static Gang of(Gang gang, JobFile file) {
        if (!gang.parts().isEmpty() || !gang.locality().equals(Locality.ANYWHERE)) {
            return gang;
        }
        boolean needsAll = gang.minimum() == gang.pods().size();
        Map<Close, List<Gang.Role>> parts = new LinkedHashMap<>();
        for (Gang.Role role : gang.roles()) {
            Map<Close, List<PodSource>> pods = new LinkedHashMap<>();
            role.pods()
                    .forEach(pod -> pods.computeIfAbsent(close(role, pod, file), any -> new ArrayList<>())
                            .add(pod));
            pods.forEach((close, some) -> parts.computeIfAbsent(close, any -> new ArrayList<>())
                    .add(new Gang.Role(role.name(), needsAll ? some.size() : minimum(role, some), some)));
        }
        if (parts.keySet().stream().noneMatch(Close::isAsked)) {
            return gang;
        }
        parts.forEach(JobTopology::checkSlices);
        if (parts.size() == 1) {
            return parts.keySet().iterator().next().of(gang);
        }
        List<Gang> all = new ArrayList<>();
        parts.forEach((close, roles) -> all.add(close.of(Gang.of(gang.name() + "/" + close.name(), roles))));
        int least =
                Math.max(gang.minimum(), all.stream().mapToInt(Gang::minimum).sum());
        return new Gang(gang.name(), least, List.of(), Locality.ANYWHERE, all, gang.after());
    }

    /** Where only some of a role's pods are in a part, all of these must start as far as the role demands it. */
    private static int minimum(Gang.Role role, List<PodSource> some) {
        return role.minimum() == role.pods().size() ? some.size() : Math.min(role.minimum(), some.size());
    }

    private static void checkSlices(Close close, List<Gang.Role> roles) {
        int pods = roles.stream().mapToInt(role -> role.pods().size()).sum();
        int size = close.slices().map(Slices::size).orElse(1);
        if (pods % size != 0) {
            throw at(roles.get(0).pods().get(0), SLICE_SIZE)
                    .error("must divide the number of pods, " + pods + ", got " + size);
        }
    }

    private static Close close(Gang.Role role, PodSource source, JobFile file) {
        Map<String, String> annotations = annotations(source.pod());
        if (annotations.containsKey(LAYERS)) {
            file.refuse(LAYERS, at(source, LAYERS), "slices of slices are not placed each within a domain");
        }
        Optional<ExclusiveTopology.Domain> exclusive = ExclusiveTopology.of(source.pod());
        if (exclusive.isPresent()) {
            return new Close(
                    exclusive.get().job(),
                    Optional.of(Locality.within(exclusive.get().level())));
        }
        String required = annotations.getOrDefault(REQUIRED, "");
        String preferred = annotations.getOrDefault(PREFERRED, "");
        Optional<Locality> locality = !required.isEmpty()
                ? Optional.of(Locality.within(required))
                : preferred.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Locality.within(preferred).preferred());
        return new Close(annotations.getOrDefault(GROUP, role.name()), locality, slices(source, annotations));
    }

    private static Optional<Slices> slices(PodSource source, Map<String, String> annotations) {
        String level = annotations.getOrDefault(SLICE, "");
        if (level.isEmpty()) {
            return Optional.empty();
        }
        String size = annotations.getOrDefault(SLICE_SIZE, "");
        if (!size.matches("[1-9][0-9]{0,6}")) {
            throw at(source, SLICE_SIZE)
                    .error(SLICE_SIZE + " must be a number from 1 on, as " + SLICE + " is there, got \"" + size + "\"");
        }
        return Optional.of(new Slices(level, Integer.parseInt(size)));
    }

    private static YamlNode at(PodSource source, String annotation) {
        return source.at().nearest("metadata.annotations." + annotation);
    }

    private static Map<String, String> annotations(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    }

    /** Returns whether pods of a template are placed as a gang, because of how close they must be. */
    public static boolean isAsked(Pod pod) {
        return annotations(pod).keySet().stream()
                .anyMatch(key -> key.startsWith(KUEUE) && !key.endsWith("unconstrained-topology"));
    }

    /** Returns the gang of all pods of a template. */
    public static Gang gang(String name, List<PodSource> pods, JobFile file) {
        return of(Gang.of(name, List.of(new Gang.Role("main", pods.size(), pods))), file);
    }
}
