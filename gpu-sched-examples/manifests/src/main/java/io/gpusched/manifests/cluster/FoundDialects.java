package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.Koordinator;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.view.DialectSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which dialect each node speaks, by its labels, resources and annotations.
 *
 * @param dialects the dialects, that of most nodes first
 * @param byNode the name of the dialect of each node that has GPUs
 * @param byNumber devices that some node has beside those of its dialect, which are counted by name on all nodes
 * @param words what was found, for the reader
 */
public record FoundDialects(
        List<NamedDialect> dialects, Map<String, String> byNode, Set<String> byNumber, String words) {
    private static final String DEFAULT = "device-plugin";
    private static final String OPERATOR = "nvidia";
    private static final String KAI = "kai";
    private static final String KOORDINATOR = "koordinator";

    /** Devices of other vendors, each given out whole by a device plugin of its own. */
    private static final List<String> PLUGINS = List.of(
            "amd.com/gpu",
            "huawei.com/Ascend310",
            "huawei.com/Ascend310P",
            "huawei.com/Ascend910",
            "huawei.com/Ascend910A",
            "huawei.com/Ascend910B",
            "huawei.com/Ascend910B2",
            "huawei.com/Ascend910B3",
            "huawei.com/Ascend910B4",
            "huawei.com/Ascend910C",
            "gpu.intel.com/i915",
            "gpu.intel.com/xe",
            "habana.ai/gaudi",
            "google.com/tpu",
            "aws.amazon.com/neuron",
            "cambricon.com/mlu",
            "metax-tech.com/gpu",
            "mthreads.com/gpu",
            "mthreads.com/vgpu",
            "iluvatar.com/gpu",
            "iluvatar.ai/gpu",
            "enflame.com/gcu",
            "hygon.com/dcu");

    /** Dialects that share devices of several vendors under the names that these have. */
    private static final Set<String> SHARING = Set.of("hami", "volcano");

    /** By dialect what tells it; the first that is there tells. */
    private static final Map<String, Sign> SIGNS = signs();

    /**
     * Something that a node of a dialect has.
     *
     * @param what in words
     * @param isThere whether a node has it
     * @param resource the resource that it is; empty if it is none
     */
    private record Sign(String what, Predicate<Node> isThere, String resource) {
        Sign(String what, Predicate<Node> isThere) {
            this(what, isThere, "");
        }

        /** Whether there is any of it: a device plugin that is gone leaves an amount of 0. */
        boolean isAnyThere(Node node) {
            return isThere.test(node) && (resource.isEmpty() || isAny(node, resource));
        }
    }

    /** Copies the collections. */
    public FoundDialects {
        dialects = List.copyOf(dialects);
        byNode = Map.copyOf(byNode);
        byNumber = Set.copyOf(byNumber);
    }

    private static Map<String, Sign> signs() {
        Map<String, Sign> signs = new LinkedHashMap<>();
        signs.put(
                "t9k",
                new Sign(
                        "label " + T9kDialect.NODE_ALLOC_MODE,
                        node -> labels(node).containsKey(T9kDialect.NODE_ALLOC_MODE)));
        signs.put(
                "hami",
                new Sign(
                        "annotation hami.io/node-*-register",
                        node -> annotations(node).keySet().stream()
                                .anyMatch(name -> name.startsWith("hami.io/node-") && name.contains("register"))));
        signs.put(
                "volcano",
                new Sign(
                        "annotation volcano.sh/node-vgpu-register",
                        node -> annotations(node).containsKey("volcano.sh/node-vgpu-register")));
        resource(signs, "gpushare", "aliyun.com/gpu-mem");
        resource(signs, "nano-gpu", "nano-gpu/gpu-percent");
        resource(signs, "elastic-gpu", "elasticgpu.io/gpu-core");
        resource(signs, "gaia", "tencent.com/vcuda-core");
        signs.put(
                KOORDINATOR,
                new Sign(
                        "resource " + KoordinatorDialect.CORE + " and the like",
                        node -> isAny(node, KoordinatorDialect.CORE)
                                || isAny(node, KoordinatorDialect.RATIO)
                                || isAny(node, KoordinatorDialect.PERCENT)));
        signs.put(OPERATOR, new Sign("labels and resources of NVIDIA's GPU operator", FoundDialects::isShared));
        resource(signs, DEFAULT, "nvidia.com/gpu");
        signs.put(
                DEFAULT + " ",
                new Sign(
                        "resource nvidia.com/mig-*",
                        node -> amounts(node).keySet().stream().anyMatch(name -> name.startsWith("nvidia.com/mig-"))));
        signs.put(
                DEFAULT + ":amd.com/gpu ",
                new Sign(
                        "partitions of AMD's GPUs",
                        node -> amounts(node).keySet().stream()
                                .anyMatch(name -> name.matches("amd\\.com/[a-z]px_nps\\d"))));
        for (String other : PLUGINS) {
            resource(signs, DEFAULT + ":" + other, other);
        }
        return signs;
    }

    private static void resource(Map<String, Sign> signs, String dialect, String resource) {
        signs.put(
                dialect, new Sign("resource " + resource, node -> amounts(node).containsKey(resource), resource));
    }

    private static boolean isAny(Node node, String resource) {
        Quantity amount = amounts(node).get(resource);
        return amount != null && amount.getNumericalAmount().signum() > 0;
    }

    private static boolean isShared(Node node) {
        try {
            return GpuOperatorDialect.isShared(ManifestReader.node(node));
        } catch (IllegalArgumentException e) {
            return false; // it is told when the node is read
        }
    }

    private static Map<String, Quantity> amounts(Node node) {
        return node.getStatus() == null ? Map.of() : orEmpty(node.getStatus().getAllocatable());
    }

    private static Map<String, String> labels(Node node) {
        return orEmpty(node.getMetadata().getLabels());
    }

    private static Map<String, String> annotations(Node node) {
        return orEmpty(node.getMetadata().getAnnotations());
    }

    private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }

    /** Returns the dialects that were named; nodes speak the one of their label, or the first. */
    public static FoundDialects named(List<NamedDialect> dialects) {
        String names = dialects.stream().map(NamedDialect::id).collect(Collectors.joining(", "));
        return new FoundDialects(dialects, Map.of(), Set.of(), "Read as: " + names + ", as named");
    }

    /** Returns what the nodes tell. */
    public static FoundDialects of(List<Node> nodes) {
        return of(nodes, false);
    }

    /** Returns what the nodes tell, and pods of KAI-Scheduler where some ask for parts of a GPU. */
    static FoundDialects of(List<Node> nodes, boolean usesKai) {
        Map<String, String> byNode = new TreeMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        nodes.forEach(node -> sign(node).ifPresent(name -> {
            byNode.put(node.getMetadata().getName(), name);
            counts.merge(name, 1, Integer::sum);
        }));
        Set<String> byNumber = secondDevices(nodes, byNode);
        byNode.values().removeIf(name -> byNumber.contains(resourceOf(name)));
        counts.keySet().removeIf(name -> byNumber.contains(resourceOf(name)));
        merge(byNode, counts);
        if (usesKai && counts.containsKey(DEFAULT)) {
            byNode.replaceAll((node, name) -> name.equals(DEFAULT) ? KAI : name);
            counts.put(KAI, Objects.requireNonNull(counts.remove(DEFAULT)));
        }
        List<String> names = mostFirst(counts);
        if (names.isEmpty()) {
            return new FoundDialects(List.of(dialect(DEFAULT)), byNode, byNumber, "No node reports GPUs");
        }
        List<NamedDialect> dialects = names.stream().map(FoundDialects::dialect).toList();
        byNode.replaceAll((node, name) -> dialect(name).id());
        String also = byNumber.isEmpty() ? "" : "; counted by number: " + String.join(", ", new TreeSet<>(byNumber));
        return new FoundDialects(dialects, byNode, byNumber, words(names) + also);
    }

    /**
     * Devices that a node reports beside those of its dialect, of another vendor or cut in another way. A node has one dialect, so
     * that these are counted by name, as the kubelet does; and on all nodes, for a pod that asks for them may go to any. Systems that
     * share devices under names of the vendors are asked themselves.
     */
    private static Set<String> secondDevices(List<Node> nodes, Map<String, String> byNode) {
        Set<String> vendors = PLUGINS.stream().map(FoundDialects::vendor).collect(Collectors.toSet());
        Set<String> second = new TreeSet<>();
        for (Node node : nodes) {
            String name = byNode.get(node.getMetadata().getName());
            if (name != null && !SHARING.contains(name)) {
                Set<String> own = dialect(name).resources();
                amounts(node).keySet().stream()
                        .filter(resource -> resource.contains("/") && vendors.contains(vendor(resource)))
                        .filter(resource -> !own.contains(resource) && isAny(node, resource))
                        .filter(Dialects::isDevice)
                        .forEach(second::add);
            }
        }
        return second;
    }

    /** The resource of a device plugin; all other dialects are of NVIDIA's GPUs. */
    private static String resourceOf(String name) {
        return name.startsWith(DEFAULT + ":") ? name.substring(DEFAULT.length() + 1) : "nvidia.com/gpu";
    }

    private static String vendor(String resource) {
        return resource.substring(0, resource.indexOf('/'));
    }

    /** The names by how many nodes have each, then by name. */
    private static List<String> mostFirst(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Optional<String> sign(Node node) {
        String named = labels(node).get(DialectSet.LABEL);
        if (named != null && Dialects.find(named).isPresent()) {
            return Optional.of(named);
        }
        return SIGNS.entrySet().stream()
                .filter(sign -> sign.getValue().isThere().test(node))
                .min(Comparator.comparing(sign -> !sign.getValue().isAnyThere(node)))
                .map(sign -> sign.getKey().strip());
    }

    /** Where some nodes share their GPUs one dialect reads all that NVIDIA's operator labels. */
    private static void merge(Map<String, String> byNode, Map<String, Integer> counts) {
        if (counts.containsKey(DEFAULT) && counts.containsKey(OPERATOR)) {
            byNode.replaceAll((node, name) -> name.equals(DEFAULT) ? OPERATOR : name);
            counts.merge(OPERATOR, Objects.requireNonNull(counts.remove(DEFAULT)), Integer::sum);
        }
    }

    private static String words(List<String> names) {
        return "Read as: " + names.stream().map(FoundDialects::title).distinct().collect(Collectors.joining(", "));
    }

    /** What the operators of a system call its dialect. */
    private static String title(String name) {
        if (name.startsWith(DEFAULT)) {
            String resource = name.contains(":") ? name.substring(name.indexOf(':') + 1) : "nvidia.com/gpu";
            return "device plugin (" + resource + ")";
        }
        return switch (name) {
            case "t9k" -> "T9k";
            case KAI -> "KAI-Scheduler";
            case KOORDINATOR -> "Koordinator";
            case "hami" -> "HAMi";
            case "volcano" -> "Volcano";
            case "gaia" -> "GaiaGPU";
            case OPERATOR -> "NVIDIA GPU operator";
            default -> name;
        };
    }

    private static NamedDialect dialect(String name) {
        return switch (name) {
            case KAI -> Kai.dialect();
            case KOORDINATOR -> Koordinator.dialect();
            default -> Dialects.find(name).orElseThrow();
        };
    }
}
