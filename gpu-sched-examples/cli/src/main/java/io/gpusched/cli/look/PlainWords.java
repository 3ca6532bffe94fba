package io.gpusched.cli.look;

import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import java.util.Comparator;
import java.util.List;

/** Refusals in words without the labels by which this program marks nodes, which are not on the nodes themselves. */
public final class PlainWords {
    private static final String MARK = "gpu-sched\\.io/(renamed-replicas|slices)";

    private static final String ASKED = "labels not accepted, asked ";

    private PlainWords() {}

    /** Returns a refusal as a user of the cluster may read it. */
    public static String of(String refusal, SeenCluster seen) {
        String words = refusal;
        List<NamedDialect> longestFirst = seen.dialects().all().stream()
                .sorted(Comparator.comparing(named -> -named.id().length()))
                .toList();
        for (NamedDialect named : longestFirst) {
            words = words.replace(DialectSet.LABEL + " in " + named.id(), "a node of " + title(named));
        }
        words = words.replaceAll(
                        ASKED + MARK + " does not exist and " + MARK + " does not exist",
                        "slices or replicas, no whole GPUs")
                .replaceAll(" and " + MARK + " does not exist", "")
                .replaceAll(MARK + " does not exist and ", "")
                .replaceAll(", labelled " + MARK + " (does not exist|exists)", "")
                .replace(ASKED + "a node of ", "not a node of ")
                .replace(ASKED + "gpu-sched.io/renamed-replicas does not exist", "replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/renamed-replicas exists", "no replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/slices does not exist", "slices, no whole GPUs")
                .replace(ASKED + "gpu-sched.io/slices exists", "whole GPUs, no slices")
                .replace(ASKED, "node selector does not match: ");
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

    private static String title(NamedDialect named) {
        return named.dialect() instanceof DevicePluginDialect plugin
                ? "the device plugin of " + plugin.resource()
                : named.dialect().name();
    }
}
