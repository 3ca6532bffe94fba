package io.gpusched.cli.look;

import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import java.util.regex.Pattern;

/** Refusals in words without what dialects and this program add to the labels that a pod selects. */
public final class PlainWords {
    private static final String ASKED = "node selector does not match: ";

    private static final String SYSTEM = Pattern.quote(DialectSet.LABEL) + "=[^ \\n,;]+";

    private static final String ADDED = "(?:" + SYSTEM
            + "|gpu-sched\\.io/(?:renamed-replicas|slices|partitionable)(?: does not exist| exists)"
            + "|nvidia\\.com/gpu\\.sharing-strategy not in mps"
            + "|cloud\\.google\\.com/gke-gpu-sharing-strategy does not exist)";

    private PlainWords() {}

    /** Returns a refusal as a user of the cluster may read it. */
    public static String of(String refusal, SeenCluster seen) {
        // the last that is left says what the others would, where a pod selects nothing by itself
        String words = refusal.replaceAll(" and " + ADDED, "")
                .replaceAll(ADDED + " and ", "")
                .replaceAll(", labelled " + ADDED, "")
                .replace(ASKED + "gpu-sched.io/renamed-replicas does not exist", "replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/renamed-replicas exists", "no replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/partitionable does not exist", "partitions by claims alone")
                .replace(ASKED + "gpu-sched.io/slices does not exist", "slices, no whole GPUs")
                .replace(ASKED + "gpu-sched.io/slices exists", "whole GPUs, no slices")
                .replaceAll("(?m)^(  \\d+ nodes?: no GPUs), asked \\d+$", "$1");
        words = words.replaceAll("(known here are )gpu-sched\\.io/dialect, ", "$1")
                .replaceAll(", gpu-sched\\.io/dialect\\b", "")
                .replace("; known here are gpu-sched.io/dialect", "");
        for (NamedDialect named : seen.dialects().all()) {
            words = words.replaceAll(
                    ASKED + Pattern.quote(DialectSet.LABEL + "=" + named.id()) + "(?=[ \\n,;]|$)",
                    "not a node of " + title(named));
        }
        return words.lines()
                .filter(line ->
                        asksLabels(refusal) || !line.strip().startsWith("nearest remedy: accept the labels of "))
                .reduce((one, other) -> one + "\n" + other)
                .orElse("");
    }

    /** Whether the pod asks for labels that nodes have by themselves. */
    private static boolean asksLabels(String refusal) {
        return refusal.lines().filter(line -> line.contains(ASKED)).anyMatch(line -> !line.contains("gpu-sched.io/"));
    }

    /** Returns the name of a system, as it stands in a sentence. */
    static String title(NamedDialect named) {
        return named.dialect() instanceof DevicePluginDialect plugin
                ? "the device plugin of " + plugin.resource()
                : named.dialect().name();
    }
}
