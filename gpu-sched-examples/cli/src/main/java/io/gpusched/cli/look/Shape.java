package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What pods ask for, and what nodes take. */
final class Shape {
    /** Dialects whose shares are turns on a GPU, and no part of it. */
    private static final Set<String> TURNS = Set.of("nvidia", "nvidia-sharing");

    private Shape() {}

    /**
     * What pods that hold GPUs or wait for some ask for, and how many pods ask for it. Pods that belong to their node are left out: they
     * go to no other. Labels that no rule of a pod mentions make no
     * difference: those of jobs and replicas have a value for each.
     */
    static Map<PodSpec, Integer> asked(SeenCluster seen) {
        Map<PodSpec, Integer> specs = new LinkedHashMap<>();
        seen.cluster().placements().stream()
                .filter(Held::any)
                .filter(placement ->
                        seen.pod(placement.pod()).filter(ResidentPods::isOfNode).isEmpty())
                .flatMap(placement -> io.gpusched.workload.Pod.of(placement).stream())
                .filter(pod -> asksForGpus(pod.spec()))
                .forEach(pod -> specs.merge(pod.spec(), 1, Integer::sum));
        waiting(seen).forEach((spec, pods) -> specs.merge(spec, pods.size(), Integer::sum));
        Set<String> mentioned = new HashSet<>();
        seen.cluster().placements().stream()
                .flatMap(placement -> io.gpusched.workload.Pod.of(placement).stream())
                .forEach(pod -> mention(pod.rules(), mentioned));
        specs.keySet().forEach(spec -> mention(spec.rules(), mentioned));
        Map<PodSpec, Integer> asked = new LinkedHashMap<>();
        specs.forEach((spec, pods) -> asked.merge(kind(spec, mentioned), pods, Integer::sum));
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

    private static PodSpec kind(PodSpec spec, Set<String> mentioned) {
        Map<String, String> labels = new TreeMap<>(spec.rules().labels());
        labels.keySet().retainAll(mentioned);
        return new io.gpusched.workload.Pod(PodId.of("shape"), spec)
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

    static String words(PodSpec spec, SeenCluster seen) {
        List<String> words = new ArrayList<>();
        for (Container container : spec.containers()) {
            if (!container.gpu().isNone()) {
                words.add(words(container.gpu()));
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

    /** The labels that a pod selects, and its system; marks of the snapshot itself are left out. */
    private static String selected(NodeSelector selector, SeenCluster seen) {
        if (selector.terms().size() != 1) {
            return selector.terms().isEmpty() ? "" : "selected nodes";
        }
        return selector.terms().get(0).requirements().stream()
                .filter(one -> one.operator() == NodeRequirement.Operator.IN)
                .map(one -> one.key().equals(DialectSet.LABEL)
                        ? "nodes of " + systems(one, seen)
                        : one.key() + "=" + String.join("|", one.values()))
                .sorted()
                .collect(Collectors.joining(" and "));
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
    private static String words(GpuRequest request) {
        if (request instanceof GpuRequest.FirstOf any) {
            return any.alternatives().stream().map(Shape::words).collect(Collectors.joining(", else "));
        }
        boolean isTurn = request instanceof GpuRequest.Share share
                && share.computeMillis() == 0
                && share.memory().equals(GpuMemory.none());
        if (!isTurn) {
            return request.toString();
        }
        GpuRequest.Share share = (GpuRequest.Share) request;
        return share.slots()
                + (share.slots() == 1 ? " slot" : " slots")
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
