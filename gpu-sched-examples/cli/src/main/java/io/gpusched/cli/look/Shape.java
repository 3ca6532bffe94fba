package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.cluster.Kai;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What pods ask for, and what nodes take. */
final class Shape {
    /** Dialects whose shares are turns on a GPU, and no part of it. */
    private static final Set<String> TURNS = Set.of("nvidia", "nvidia-sharing");

    private Shape() {}

    /** What a waiting pod asks for; nothing where its dialect refuses it. */
    static Optional<PodSpec> of(SeenCluster seen, Pod pod) {
        try {
            PodManifest manifest = ManifestReader.pod(Kai.whole(pod)).counting(seen.dialects()::isCounted);
            return Optional.of(
                    seen.dialects().ofPod(manifest).dialect().pod(manifest).spec());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static String words(PodSpec spec) {
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
        return String.join(", ", words);
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
