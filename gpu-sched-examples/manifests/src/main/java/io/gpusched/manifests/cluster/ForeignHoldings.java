package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * GPUs that running pods hold by words that no dialect here reads: resource claims, and annotations of Koordinator, HiveD
 * and TensorFusion. Such a pod is taken to hold as many whole GPUs of its node as it may have a part of, so that nothing is
 * given out twice, and it is told. An annotation that looks like one of these and is not known is told by name.
 */
final class ForeignHoldings {
    private static final String GPU = "nvidia.com/gpu";
    private static final int MOST_NAMED = 3;

    /** By the annotation that says what a pod holds: the names of these GPUs on its node. */
    private static final Map<String, Function<String, List<String>>> ANNOTATIONS = annotations();

    /** Words of an annotation or resource that speaks of GPUs. */
    private static final String SPEAKS_OF_GPUS = "(?i).*(gpu|npu|dcu|mlu|accelerator-ids|device-allocated).*";

    private final Map<String, YamlNode> claims = new HashMap<>();
    private final Map<String, YamlNode> templates = new HashMap<>();
    private final Set<String> known;

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
     * @param others objects of a cluster, among them claims
     * @param known annotations and resources that are read elsewhere, by their beginnings
     */
    ForeignHoldings(List<YamlNode> others, Set<String> known) {
        this.known = Set.copyOf(known);
        for (YamlNode object : others) {
            Map<String, YamlNode> kind = switch (object.need("kind").text()) {
                case "ResourceClaim" -> claims;
                case "ResourceClaimTemplate" -> templates;
                default -> new HashMap<>();
            };
            YamlNode metadata = object.need("metadata");
            kind.put(
                    metadata.at("namespace").textOr("default") + "/"
                            + metadata.need("name").text(),
                    object);
        }
    }

    private static Map<String, Function<String, List<String>>> annotations() {
        Map<String, Function<String, List<String>>> annotations = new LinkedHashMap<>();
        annotations.put(
                "scheduling.koordinator.sh/device-allocated",
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

    /** Returns the running pods, each with the GPUs that it holds by such words as if it had asked for them. */
    List<Pod> counted(List<Pod> running) {
        List<Pod> counted = new ArrayList<>();
        for (Pod pod : running) {
            int gpus = byClaims(pod) + byAnnotations(pod);
            counted.add(gpus == 0 ? pod : holding(pod, gpus));
        }
        return counted;
    }

    private int byClaims(Pod pod) {
        int gpus = 0;
        for (PodResourceClaim claim : pod.getSpec().getResourceClaims()) {
            String namespace = pod.getMetadata().getNamespace();
            Optional<YamlNode> object =
                    claimName(pod, claim).flatMap(name -> Optional.ofNullable(claims.get(namespace + "/" + name)));
            YamlNode template = templates.get(namespace + "/" + claim.getResourceClaimTemplateName());
            int held = object.map(ForeignHoldings::allocated)
                    .orElseGet(() ->
                            template == null ? -1 : asked(template.at("spec").at("spec")));
            if (held < 0) {
                tell(
                        pod,
                        "hold devices by resource claims that are not among the objects; 1 GPU is set aside for each");
                held = 1;
            } else if (held > 0) {
                tell(pod, "hold GPUs by resource claims; these are counted, and which ones is not read");
            }
            gpus += held;
        }
        return gpus;
    }

    private static Optional<String> claimName(Pod pod, PodResourceClaim claim) {
        if (claim.getResourceClaimName() != null) {
            return Optional.of(claim.getResourceClaimName());
        }
        List<PodResourceClaimStatus> statuses =
                pod.getStatus() == null ? List.of() : pod.getStatus().getResourceClaimStatuses();
        return statuses.stream()
                .filter(status -> claim.getName().equals(status.getName()))
                .map(PodResourceClaimStatus::getResourceClaimName)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** How many GPUs are allocated to a claim; partitions of one GPU are not told apart from it. */
    private static int allocated(YamlNode claim) {
        List<YamlNode> results =
                claim.at("status").at("allocation").at("devices").at("results").list();
        if (results.isEmpty()) {
            return asked(claim.at("spec"));
        }
        Set<String> devices = new HashSet<>();
        for (YamlNode result : results) {
            String driver = result.at("driver").textOr("");
            if (driver.contains("gpu") && !result.at("adminAccess").isTrue()) {
                devices.add(driver + "/" + result.at("pool").textOr("") + "/"
                        + result.at("device").textOr("").replaceFirst("-(mig|part).*", ""));
            }
        }
        return devices.size();
    }

    /** How many GPUs a claim asks for, by the names of device classes. */
    private static int asked(YamlNode spec) {
        int asked = 0;
        for (YamlNode request : spec.at("devices").at("requests").list()) {
            YamlNode exact = request.at("exactly").optional().orElse(request);
            String type = exact.at("deviceClassName").textOr("");
            if (type.contains("gpu") || type.contains("mig")) {
                asked += exact.at("count").integerOr(1);
            }
        }
        return asked;
    }

    /** Of GPUs that several pods have a part of each is counted with one of them; those that a pod asks for besides are the same. */
    private int byAnnotations(Pod pod) {
        int gpus = 0;
        for (Map.Entry<String, String> entry : annotations(pod).entrySet()) {
            Function<String, List<String>> names = ANNOTATIONS.get(entry.getKey());
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

    /** A copy of a pod that asks for whole GPUs beside what it asks for. */
    private static Pod holding(Pod pod, int gpus) {
        Pod copy = new Pod();
        copy.setMetadata(pod.getMetadata());
        copy.setStatus(pod.getStatus());
        copy.setSpec(pod.getSpec().toBuilder().withResourceClaims(List.of()).build());
        Container first = copy.getSpec().getContainers().get(0);
        ResourceRequirements asked = Objects.requireNonNullElseGet(first.getResources(), ResourceRequirements::new);
        Map<String, Quantity> limits = new HashMap<>(orEmpty(asked.getLimits()));
        limits.merge(
                GPU,
                new Quantity(String.valueOf(gpus)),
                (had, more) ->
                        new Quantity(String.valueOf(had.getNumericalAmount().intValue() + gpus)));
        ResourceRequirements holding = new ResourceRequirements();
        holding.setLimits(limits);
        Map<String, Quantity> requests = new HashMap<>(orEmpty(asked.getRequests()));
        requests.remove(GPU);
        holding.setRequests(requests);
        first.setResources(holding);
        return copy;
    }

    private static Map<String, Quantity> orEmpty(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : map;
    }

    private void tell(Pod pod, String what) {
        ObjectMeta metadata = pod.getMetadata();
        pods.computeIfAbsent(what, any -> new TreeSet<>()).add(metadata.getNamespace() + "/" + metadata.getName());
        nodes.computeIfAbsent(what, any -> new TreeSet<>()).add(SeenCluster.nodeOf(pod));
    }

    /** Returns the pods of which it is not known what they may hold elsewhere, each with the reason; claims are known as such. */
    Map<PodId, String> unmoved() {
        return unmoved;
    }

    /** Returns what has to be said of them, one sentence for each kind. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        pods.forEach((what, names) -> notes.add(count(names.size(), "pod") + " on "
                + count(nodes.getOrDefault(what, Set.of()).size(), "node") + " "
                + (names.size() == 1 ? what.replaceFirst("^hold ", "holds ").replaceFirst("^have ", "has ") : what)
                + ": " + names(names)));
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
