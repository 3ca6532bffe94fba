package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What pods ask for, and what nodes take. */
final class Shape {
    /** Dialects whose shares are turns on a GPU, and no part of it. */
    private static final Set<String> TURNS = Set.of("nvidia", "nvidia-sharing");

    /** Begins the labels that are of the snapshot, and not on the node itself. */
    private static final String MARK = "gpu-sched.io/";

    private Shape() {}

    /**
     * What pods that hold GPUs or wait for some ask for, and which pods ask for it. Pods that belong to their node are left out: they
     * go to no other. Labels that no rule of a pod mentions make no difference, as those of jobs and replicas have a value for each, and
     * neither do tolerations of taints that no node has.
     */
    static Map<PodSpec, List<PodId>> asked(SeenCluster seen) {
        Map<PodSpec, List<PodId>> specs = new LinkedHashMap<>();
        seen.cluster().placements().stream()
                .filter(Held::any)
                .filter(placement ->
                        seen.pod(placement.pod()).filter(ResidentPods::isOfNode).isEmpty())
                .flatMap(placement -> io.gpusched.workload.Pod.of(placement).stream())
                .filter(pod -> asksForGpus(pod.spec()))
                .forEach(pod -> specs.computeIfAbsent(pod.spec(), any -> new ArrayList<>())
                        .add(pod.id()));
        waiting(seen)
                .forEach((spec, pods) -> pods.forEach(pod ->
                        specs.computeIfAbsent(spec, any -> new ArrayList<>()).add(SeenCluster.idOf(pod))));
        Set<String> mentioned = new HashSet<>();
        seen.cluster().placements().stream()
                .flatMap(placement -> io.gpusched.workload.Pod.of(placement).stream())
                .forEach(pod -> mention(pod.rules(), mentioned));
        specs.keySet().forEach(spec -> mention(spec.rules(), mentioned));
        List<Taint> taints = taints(seen);
        Map<PodSpec, List<PodId>> asked = new LinkedHashMap<>();
        specs.forEach((spec, pods) -> asked.computeIfAbsent(kind(spec, mentioned, taints), any -> new ArrayList<>())
                .addAll(pods));
        return asked;
    }

    /** Adds the keys of the labels of pods on which these rules depend. */
    private static void mention(PodRules rules, Set<String> keys) {
        Stream.of(rules.affinity(), rules.antiAffinity())
                .flatMap(affinity -> Stream.concat(
                        affinity.required().stream(),
                        affinity.preferred().stream().map(PodAffinity.Weighted::term)))
                .map(PodAffinity.Term::pods)
                .forEach(pods -> mention(pods, keys));
        rules.spread().forEach(spread -> mention(spread.pods(), keys));
    }

    private static void mention(LabelSelector pods, Set<String> keys) {
        pods.requirements().forEach(one -> keys.add(one.key()));
    }

    private static List<Taint> taints(SeenCluster seen) {
        return seen.cluster().nodes().stream()
                .flatMap(node -> node.node().taints().stream())
                .filter(taint -> taint.effect().forbids())
                .distinct()
                .toList();
    }

    private static PodSpec kind(PodSpec spec, Set<String> mentioned, List<Taint> taints) {
        Map<String, String> labels = new TreeMap<>(spec.rules().labels());
        labels.keySet().retainAll(mentioned);
        List<Toleration> tolerations = spec.tolerations().stream()
                .filter(one -> taints.stream().anyMatch(one::tolerates))
                .distinct()
                .sorted(Comparator.comparing(Toleration::toString))
                .toList();
        return new io.gpusched.workload.Pod(
                        PodId.of("shape"), spec.containers(), spec.nodeSelector(), tolerations, spec.overhead())
                .withRules(spec.rules().withLabels(labels).withTerminating(false))
                .spec();
    }

    /** What pending pods ask for GPUs, and which pods do. */
    static Map<PodSpec, List<Pod>> waiting(SeenCluster seen) {
        Map<PodSpec, List<Pod>> asked = new LinkedHashMap<>();
        for (Pod pod : seen.waiting()) {
            if (seen.asksForGpus(pod)) {
                of(seen, pod)
                        .ifPresent(spec -> asked.computeIfAbsent(spec, any -> new ArrayList<>())
                                .add(pod));
            }
        }
        return asked;
    }

    /** What a waiting pod asks for, on nodes of its system; nothing where its dialect refuses it. */
    static Optional<PodSpec> of(SeenCluster seen, Pod pod) {
        return PendingPods.of(seen).request(pod).map(io.gpusched.workload.Pod::spec);
    }

    /** GPUs and nothing beside them, where taints that keep pods without GPUs away are tolerated. */
    static PodSpec bare(SeenCluster seen, GpuRequest request, NodeSelector nodes) {
        io.gpusched.workload.Pod.Builder bare = io.gpusched.workload.Pod.builder("shape")
                .container("shape", Resources.NONE, request)
                .nodeSelector(nodes)
                .toleration(Toleration.equal(T9kDialect.XGN_TAINT.key(), T9kDialect.XGN_TAINT.value()));
        seen.cluster().nodes().stream()
                .filter(node -> node.gpuCount() > 0)
                .flatMap(node -> node.node().taints().stream())
                .map(Taint::key)
                .filter(key -> key.matches("(?i).*gpu.*|.*accelerator.*|sku|.*/.*(npu|tpu|gaudi|neuron|mlu|dcu).*"))
                .distinct()
                .sorted()
                .forEach(key -> bare.toleration(new Toleration(key, Optional.empty(), Optional.empty())));
        return bare.build().spec();
    }

    /** Each shape in words that no other has: where two ask for the same, what else they differ in, else a pod of each. */
    static Map<PodSpec, String> words(Map<PodSpec, List<PodId>> shapes, SeenCluster seen) {
        List<Taint> taints = taints(seen);
        Map<PodSpec, String> words = new LinkedHashMap<>();
        shapes.keySet().forEach(spec -> words.put(spec, words(spec, seen)));
        tellApart(words, spec -> ", " + tolerated(spec, taints));
        tellApart(words, spec -> spec.rules().concernsOthers() ? ", with rules about other pods" : "");
        tellApart(
                words,
                spec -> shapes.getOrDefault(spec, List.of()).stream()
                        .findFirst()
                        .map(pod -> ", as " + Moves.name(pod))
                        .orElse(""));
        return words;
    }

    private static void tellApart(Map<PodSpec, String> words, Function<PodSpec, String> more) {
        Map<String, List<PodSpec>> alike = new LinkedHashMap<>();
        words.forEach((spec, text) ->
                alike.computeIfAbsent(text, any -> new ArrayList<>()).add(spec));
        for (List<PodSpec> same : alike.values()) {
            if (same.stream().map(more).distinct().count() > 1) {
                same.forEach(spec -> words.merge(spec, more.apply(spec), String::concat));
            }
        }
    }

    private static String tolerated(PodSpec spec, List<Taint> taints) {
        String keys = taints.stream()
                .filter(taint -> spec.tolerations().stream().anyMatch(one -> one.tolerates(taint)))
                .map(Taint::key)
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
        return "tolerates " + (keys.isEmpty() ? "no taint" : keys);
    }

    static String words(PodSpec spec, SeenCluster seen) {
        List<String> words = new ArrayList<>();
        for (Container container : spec.containers()) {
            if (!container.gpu().isNone()) {
                words.add(words(container.gpu(), slot(spec)));
            }
        }
        words = counted(words);
        for (String name : spec.resources().named().names()) {
            if (SeenCluster.isCountedDevice(name)) {
                words.add(spec.resources().named().amount(name) + " " + name);
            }
        }
        Resources beside = spec.resources();
        if (beside.cpuMillis() > 0) {
            words.add(decimal(beside.cpuMillis(), 1_000) + (beside.cpuMillis() == 1_000 ? " core" : " cores"));
        }
        if (beside.memoryMib() > 0) {
            words.add(decimal(beside.memoryMib(), 1_024) + " GiB");
        }
        String nodes = selected(spec.nodeSelector(), seen);
        return String.join(", ", words) + (nodes.isEmpty() ? "" : " on " + nodes);
    }

    /** Containers that ask for the same are said once, with their number. */
    private static List<String> counted(List<String> words) {
        Map<String, Long> counts =
                words.stream().collect(Collectors.groupingBy(one -> one, LinkedHashMap::new, Collectors.counting()));
        List<String> counted = new ArrayList<>();
        counts.forEach((text, count) -> counted.add(count == 1 ? text : count + " times " + text));
        return counted;
    }

    /** What a slot is on the nodes to which a pod may go. */
    private static String slot(PodSpec spec) {
        return asksFor(spec, SeenCluster.SLICES)
                ? "slice"
                : asksFor(spec, GpuOperatorDialect.RENAMED_REPLICAS) ? "slot of " + GpuOperatorDialect.SHARED : "slot";
    }

    private static boolean asksFor(PodSpec spec, String mark) {
        return spec.nodeSelector().terms().stream()
                .flatMap(term -> term.requirements().stream())
                .anyMatch(one -> one.equals(NodeRequirement.exists(mark)));
    }

    /** The labels that a pod selects, and its system; marks of the snapshot itself are left out. */
    private static String selected(NodeSelector selector, SeenCluster seen) {
        if (selector.terms().size() != 1) {
            return selector.terms().isEmpty() ? "" : "selected nodes";
        }
        return selector.terms().get(0).requirements().stream()
                .filter(one -> one.key().equals(DialectSet.LABEL) || !one.key().startsWith(MARK))
                .filter(one -> one.operator() == NodeRequirement.Operator.IN || isTold(one, seen))
                .map(one -> one.key().equals(DialectSet.LABEL) ? "nodes of " + systems(one, seen) : one.toString())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    /** What keeps a pod from no node here says nothing, and neither does what a dialect adds. */
    private static boolean isTold(NodeRequirement one, SeenCluster seen) {
        return !one.key().contains("sharing-strategy")
                && seen.cluster().nodes().stream().anyMatch(node -> node.gpuCount() > 0 && !one.matches(node.node()));
    }

    private static String systems(NodeRequirement one, SeenCluster seen) {
        return seen.dialects().all().stream()
                .filter(named -> one.values().contains(named.id()))
                .map(PlainWords::title)
                .collect(Collectors.joining(" or "));
    }

    /** Whether what a pod asks for is given out by the system of a node. */
    static boolean isOfSystem(PodSpec spec, NodeState node) {
        String system = node.node().labels().getOrDefault(DialectSet.LABEL, "");
        return spec.nodeSelector().terms().stream()
                .flatMap(term -> term.requirements().stream())
                .filter(one -> one.key().equals(DialectSet.LABEL) && one.operator() == NodeRequirement.Operator.IN)
                .allMatch(one -> one.values().contains(system));
    }

    /** A slot and nothing else is a turn on a GPU. */
    private static String words(GpuRequest request, String slot) {
        if (request instanceof GpuRequest.FirstOf any) {
            return any.alternatives().stream().map(one -> words(one, slot)).collect(Collectors.joining(", else "));
        }
        boolean isTurn = request instanceof GpuRequest.Share share
                && share.computeMillis() == 0
                && share.memory().equals(GpuMemory.none());
        if (!isTurn) {
            return request.toString();
        }
        GpuRequest.Share share = (GpuRequest.Share) request;
        return share.slots() + " " + (share.slots() == 1 ? slot : slot.replaceFirst("^[a-z]+", "$0s"))
                + (share.count() == 1 ? "" : " on each of " + share.count() + " GPUs");
    }

    private static String decimal(long amount, long unit) {
        return amount % unit == 0
                ? String.valueOf(amount / unit)
                : String.format(Locale.ROOT, "%.1f", (double) amount / unit);
    }

    static boolean asksForGpus(PodSpec spec) {
        return spec.containers().stream().anyMatch(container -> !container.gpu().isNone());
    }

    /** The partitions that a node offers of GPUs that are cut for good. */
    static Set<String> partitions(NodeState node) {
        return node.node().gpus().stream()
                .filter(gpu -> gpu.partitions().isAlwaysCut())
                .flatMap(gpu -> gpu.partitions().names().stream())
                .collect(Collectors.toSet());
    }

    static boolean takesWhole(NodeState node) {
        return node.gpuCount() > 0 && node.node().mode() != NodeMode.SHARED;
    }

    static boolean takesPercent(NodeState node) {
        return node.gpuCount() > 0 && node.node().mode() != NodeMode.EXCLUSIVE && !givesTurns(node);
    }

    static boolean takesTurns(NodeState node) {
        return node.gpuCount() > 0 && node.node().mode() == NodeMode.SHARED && givesTurns(node);
    }

    private static boolean givesTurns(NodeState node) {
        return TURNS.contains(node.node().labels().getOrDefault(DialectSet.LABEL, ""));
    }
}
