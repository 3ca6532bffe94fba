package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.manifests.claim.ClaimHoldings;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * GPUs that running pods hold by words that no dialect here reads: resource claims (see {@link ClaimHoldings}), and annotations of
 * Koordinator, HiveD and TensorFusion. One with such annotations is taken to hold as many whole GPUs of its node as it may have a part of, so that nothing is
 * given out twice, and it is told. An annotation that looks like one of these and is not known is told by name.
 */
final class ForeignHoldings {
    private static final String GPU = "nvidia.com/gpu";
    private static final int MOST_NAMED = 3;

    /** By the annotation that says what a pod holds: the names of these GPUs on its node. */
    private static final Map<String, Function<String, List<String>>> ANNOTATIONS = annotations();

    /** Words of an annotation or resource that speaks of GPUs. */
    private static final String SPEAKS_OF_GPUS = "(?i).*(gpu|npu|dcu|mlu|accelerator-ids|device-allocated).*";

    private final ClaimHoldings claims;
    private final Set<String> known;
    private final Predicate<Pod> isRead;

    /** By node the GPUs that pods hold by annotations. */
    private final Map<String, Set<String>> taken = new HashMap<>();

    /** The pods that hold GPUs by annotations, which no place of another node is known to offer. */
    private final Map<PodId, String> unmoved = new HashMap<>();

    /** By what is told: the pods and nodes that it is told of. */
    private final Map<String, Set<String>> pods = new TreeMap<>();

    private final Map<String, Set<String>> nodes = new TreeMap<>();

    /**
     * Starts.
     *
     * @param claims what is held by claims
     * @param known annotations and resources that are read elsewhere, by their beginnings
     * @param isRead whether the dialect of a pod's node reads the devices that Koordinator wrote of it
     */
    ForeignHoldings(ClaimHoldings claims, Set<String> known, Predicate<Pod> isRead) {
        this.isRead = isRead;
        this.claims = claims;
        this.known = Set.copyOf(known);
    }

    private static Map<String, Function<String, List<String>>> annotations() {
        Map<String, Function<String, List<String>>> annotations = new LinkedHashMap<>();
        annotations.put(
                KoordinatorDialect.ALLOCATED,
                text -> parsed(text).at("gpu").list().stream()
                        .map(gpu -> gpu.need("minor").text())
                        .toList());
        annotations.put(
                "hivedscheduler.microsoft.com/pod-bind-info",
                text -> parsed(text).at("leafCellIsolation").textList());
        annotations.put("tensor-fusion.ai/gpu-ids", text -> List.of(text.split("\\s*,\\s*")));
        return annotations;
    }

    private static YamlNode parsed(String text) {
        return YamlReader.parse("annotation", text).get(0);
    }

    /** Returns the running pods, each with the GPUs that it holds by such words as if it had asked for them, and claims that no pod uses. */
    List<Pod> counted(List<Pod> running) {
        List<Pod> counted = new ArrayList<>();
        for (Pod pod : running) {
            int gpus = byAnnotations(pod);
            counted.add(claims.holding(unmoved.containsKey(SeenCluster.idOf(pod)) ? holding(pod, gpus) : pod));
        }
        counted.addAll(claims.withoutPods());
        claims.notes().forEach((what, names) -> names.forEach(name -> tell(name, "", what)));
        return counted;
    }

    /** A GPU that several pods have a part of is counted with one of them; a pod that asks for GPUs besides means the same GPUs. */
    private int byAnnotations(Pod pod) {
        int gpus = 0;
        for (Map.Entry<String, String> entry : annotations(pod).entrySet()) {
            Function<String, List<String>> names = ANNOTATIONS.get(entry.getKey());
            if (entry.getKey().equals(KoordinatorDialect.ALLOCATED) && isRead.test(pod)) {
                continue;
            }
            if (names != null) {
                int held = count(pod, names, entry.getValue());
                tell(
                        pod,
                        "hold GPUs by annotation " + entry.getKey()
                                + "; all GPUs that they have a part of are counted as held");
                gpus += held;
                unmoved.put(SeenCluster.idOf(pod), "it holds GPUs by annotation " + entry.getKey());
            } else if (entry.getKey().matches(SPEAKS_OF_GPUS) && !isKnown(entry.getKey())) {
                tell(
                        pod,
                        "have annotation " + entry.getKey() + ", which is not read here; GPUs that it names look idle");
            }
        }
        return gpus;
    }

    /** What cannot be read is one GPU. */
    private int count(Pod pod, Function<String, List<String>> names, String text) {
        int asked = asked(pod);
        try {
            Set<String> ofNode = taken.computeIfAbsent(SeenCluster.nodeOf(pod), any -> new HashSet<>());
            long more = names.apply(text).stream().filter(ofNode::add).count();
            return (int) Math.max(0, more - asked);
        } catch (InputException e) {
            return asked == 0 ? 1 : 0;
        }
    }

    /** How many whole GPUs a pod asks for by their resource. */
    private static int asked(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .map(Container::getResources)
                .filter(Objects::nonNull)
                .map(resources -> orEmpty(resources.getLimits()).get(GPU))
                .filter(Objects::nonNull)
                .mapToInt(amount -> amount.getNumericalAmount().intValue())
                .sum();
    }

    private boolean isKnown(String key) {
        return known.stream().anyMatch(key::startsWith);
    }

    private static Map<String, String> annotations(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    /** A copy of a pod that asks for whole GPUs beside what it asks for, in place of resources whose GPUs annotations name. */
    private static Pod holding(Pod pod, int gpus) {
        Pod copy = new Pod();
        copy.setMetadata(pod.getMetadata());
        copy.setStatus(pod.getStatus());
        copy.setSpec(pod.getSpec().toBuilder().build());
        Container first = copy.getSpec().getContainers().get(0);
        ResourceRequirements asked = Objects.requireNonNullElseGet(first.getResources(), ResourceRequirements::new);
        Map<String, Quantity> limits = new HashMap<>(orEmpty(asked.getLimits()));
        limits.keySet().removeIf(Dialects::isNamedByAnnotations);
        if (gpus > 0) {
            limits.merge(
                    GPU,
                    new Quantity(String.valueOf(gpus)),
                    (had, more) ->
                            new Quantity(String.valueOf(had.getNumericalAmount().intValue() + gpus)));
        }
        ResourceRequirements holding = new ResourceRequirements();
        holding.setLimits(limits);
        Map<String, Quantity> requests = new HashMap<>(orEmpty(asked.getRequests()));
        requests.remove(GPU);
        requests.keySet().removeIf(Dialects::isNamedByAnnotations);
        holding.setRequests(requests);
        first.setResources(holding);
        return copy;
    }

    private static Map<String, Quantity> orEmpty(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : map;
    }

    private void tell(Pod pod, String what) {
        ObjectMeta metadata = pod.getMetadata();
        tell(metadata.getNamespace() + "/" + metadata.getName(), SeenCluster.nodeOf(pod), what);
    }

    private void tell(String name, String node, String what) {
        pods.computeIfAbsent(what, any -> new TreeSet<>()).add(name);
        if (!node.isEmpty()) {
            nodes.computeIfAbsent(what, any -> new TreeSet<>()).add(node);
        }
    }

    /** Returns the pods whose possible holdings elsewhere are not known, each with the reason; claims are known as such. */
    Map<PodId, String> unmoved() {
        return unmoved;
    }

    /** Returns what has to be said of them, one sentence for each kind. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        pods.forEach((what, names) -> {
            Set<String> on = nodes.getOrDefault(what, Set.of());
            notes.add(count(names.size(), what.startsWith(ClaimHoldings.OF_CLAIMS) ? "claim" : "pod")
                    + (on.isEmpty() ? "" : " on " + count(on.size(), "node")) + " "
                    + (names.size() == 1
                            ? what.replaceFirst("^(hold|use) ", "$1s ").replaceFirst("^have ", "has ")
                            : what)
                    + ": " + names(names));
        });
        return notes;
    }

    static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    static String names(Set<String> names) {
        String first = String.join(", ", names.stream().limit(MOST_NAMED).toList());
        return first + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
    }
}
