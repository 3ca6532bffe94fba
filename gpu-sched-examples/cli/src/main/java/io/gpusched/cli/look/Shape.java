package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.manifest.ManifestReader;
import io.gpusched.kubernetes.view.DialectSet;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What pods ask for, and what nodes take. */
final class Shape {
    private static final String SHARING = "nvidia-sharing";

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
                words.add(container.gpu().toString());
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
        return node.gpuCount() > 0 && node.node().mode() != NodeMode.EXCLUSIVE && !speaks(node, SHARING);
    }

    static boolean takesTurns(NodeState node) {
        return node.gpuCount() > 0 && speaks(node, SHARING);
    }

    private static boolean speaks(NodeState node, String dialect) {
        return node.node().labels().getOrDefault(DialectSet.LABEL, "").equals(dialect);
    }
}
