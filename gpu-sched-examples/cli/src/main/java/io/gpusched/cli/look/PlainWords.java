package io.gpusched.cli.look;

import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Refusals in words without what dialects and this program add to the labels that a pod selects. */
public final class PlainWords {
    private static final String ASKED = "node selector does not match: ";

    private static final String GKE = "cloud.google.com/gke-gpu-sharing-strategy";

    private static final String ABSENT = " does not exist";

    private static final String SYSTEM = Pattern.quote(DialectSet.LABEL) + "=[^ \\n,;]+";

    private static final String ADDED = "(?:" + SYSTEM
            + "|gpu-sched\\.io/(?:renamed-replicas|slices|partitionable)(?: does not exist| exists)"
            + "|nvidia\\.com/gpu\\.sharing-strategy not in mps(?! \\()"
            + "|" + Pattern.quote(GKE) + ABSENT + ")";

    /** What is added and holds on each node that has no such label. */
    private static final Pattern UNLESS_THERE = Pattern.compile("(gpu-sched\\.io/[a-z-]+|" + Pattern.quote(GKE) + ")"
            + ABSENT + "|(nvidia\\.com/gpu\\.sharing-strategy) not in mps");

    private static final String MPS = "nvidia.com/gpu.sharing-strategy not in mps";

    private static final String UNKNOWN_PROFILE =
            "no GPU can hold it, even with nothing running, asked [^;\\n]*; no node has the partition profile \"([^\"]*)\";"
                    + " known here are ([^;\\n]*)";

    private static final Pattern STATE =
            Pattern.compile("tolerate taint (node\\.[a-z.]*kubernetes\\.io/[a-z-]+)\\S* of (\\S+)");

    /** What is asked of one label. */
    private static final Pattern KEY =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9./_-]*)(?:=| in | not in | exists| does not exist| gt | lt )");

    private static final Pattern ACCEPTED = Pattern.compile("accept the labels of ([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)");

    private PlainWords() {}

    /** Returns a refusal as a user of the cluster may read it. */
    public static String of(String refusal, SeenCluster seen) {
        // the last that is left says what the others would, where a pod selects nothing by itself
        String words = without(refusal, seen)
                .replaceAll("gpu-sched\\.io/hyper-node-tier-(\\d+)", "hyper node of tier $1")
                .replaceAll(" and " + ADDED, "")
                .replaceAll(ADDED + " and ", "")
                .replaceAll(", labelled " + ADDED, "")
                .replace(ASKED + GKE + ABSENT, "GKE gives a container 1 slot of a shared GPU at most")
                .replace(ASKED + "gpu-sched.io/renamed-replicas does not exist", "replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/renamed-replicas exists", "no replicas under a name of their own")
                .replace(ASKED + "gpu-sched.io/partitionable does not exist", "partitions by claims alone")
                .replace(ASKED + "gpu-sched.io/slices does not exist", "slices, no whole GPUs")
                .replace(ASKED + "gpu-sched.io/slices exists", "whole GPUs, no slices")
                .replaceAll("(?m)^(  \\d+ nodes?: no GPUs), asked \\d+$", "$1")
                .replace("take no pods: maxPods is 0", "no more pods: pods of DaemonSets take all places for pods")
                .replace(ASKED + MPS, ASKED + MPS + " (with MPS a container gets 1 replica at most)")
                .replaceAll("; GPUs of model .*? Maybe say how they can be cut: geometry [^;\\n]*", "")
                .replaceAll(UNKNOWN_PROFILE, "no node offers partition $1; offered: $2");
        words = states(words).replaceAll("pod group \"group [A-Z_]+ ([^\"]+)\"", "pod group \"$1\"");
        words = new OfferedDevices(seen).in(words);
        words = words.replaceAll("(known here are )gpu-sched\\.io/dialect, ", "$1")
                .replaceAll(", gpu-sched\\.io/dialect\\b", "")
                .replace("; known here are gpu-sched.io/dialect", "");
        for (NamedDialect named : seen.dialects().all()) {
            words = words.replaceAll(
                    ASKED + Pattern.quote(DialectSet.LABEL + "=" + named.id()) + "(?=[ \\n,;]|$)",
                    "not a node of " + title(named));
        }
        Set<String> keys = askedKeys(words);
        return words.lines()
                .filter(line -> !line.strip().startsWith("nearest remedy: accept the labels of ")
                        || !keys.isEmpty()
                                && ACCEPTED.matcher(line)
                                        .results()
                                        .allMatch(node -> mayServe(seen, node.group(1), refusal)))
                .map(line -> ACCEPTED.matcher(line)
                        .replaceAll(node -> Matcher.quoteReplacement(selecting(seen, node.group(1), keys))))
                .reduce((one, other) -> one + "\n" + other)
                .orElse("");
    }

    /** What is added beside the system, as what a node of it must have. */
    private static final Map<String, String> KINDS = Map.of(
            "gpu-sched.io/slices does not exist",
            "whole GPUs",
            "gpu-sched.io/slices exists",
            "slices",
            "gpu-sched.io/renamed-replicas does not exist",
            "nvidia.com/gpu",
            "gpu-sched.io/renamed-replicas exists",
            "nvidia.com/gpu.shared",
            "gpu-sched.io/partitionable does not exist",
            "partitions without a claim",
            MPS,
            "more than 1 replica for a container",
            GKE + ABSENT,
            "more than 1 slot for a container");

    /** Leaves out what is added and refuses no node here, unless nothing else is left. */
    private static String without(String refusal, SeenCluster seen) {
        return refusal.lines()
                .map(line -> {
                    int at = line.indexOf(ASKED);
                    List<String> parts = at < 0
                            ? List.of()
                            : List.of(line.substring(at + ASKED.length()).split(" and "));
                    List<String> left = parts.stream()
                            .filter(part -> !refusesNothing(part, seen))
                            .toList();
                    return left.isEmpty() ? line : line.substring(0, at) + ASKED + joined(left);
                })
                .collect(Collectors.joining("\n"));
    }

    /** A node of another system and one of another kind are refused together, and neither is said to be the other. */
    private static String joined(List<String> parts) {
        List<String> kinds = parts.stream().filter(KINDS::containsKey).toList();
        List<String> systems =
                parts.stream().filter(part -> part.matches(SYSTEM)).toList();
        return systems.size() == 1 && !kinds.isEmpty() && kinds.size() + 1 == parts.size()
                ? systems.get(0)
                        + kinds.stream()
                                .map(kind -> KINDS.getOrDefault(kind, kind))
                                .collect(Collectors.joining(" and ", " with ", ""))
                : String.join(" and ", parts);
    }

    private static boolean refusesNothing(String part, SeenCluster seen) {
        Matcher added = UNLESS_THERE.matcher(part);
        return added.matches()
                && seen.cluster().nodes().stream()
                        .map(node -> node.node().labels())
                        .noneMatch(labels -> added.group(1) != null
                                ? labels.containsKey(added.group(1))
                                : "mps".equals(labels.get(added.group(2))));
    }

    /** States of a node are lifted or waited for, and not tolerated. */
    private static String states(String words) {
        return words.lines()
                .map(line -> STATE.matcher(line).find()
                        ? Arrays.stream(line.split(" and "))
                                .map(part -> STATE.matcher(part)
                                        .replaceAll(state ->
                                                Matcher.quoteReplacement(lifted(state.group(1), state.group(2)))))
                                .distinct()
                                .collect(Collectors.joining(" and "))
                        : line)
                .collect(Collectors.joining("\n"));
    }

    private static String lifted(String taint, String node) {
        String state = taint.substring(taint.indexOf('/') + 1);
        return switch (state) {
            case "unschedulable" -> "uncordon " + node;
            case "not-ready", "unreachable" -> "wait until " + node + " is ready";
            default -> "wait until " + node + " has no taint " + taint;
        };
    }

    /** The labels of nodes for which the pod asks and that nodes have by themselves. */
    private static Set<String> askedKeys(String words) {
        Set<String> keys = new TreeSet<>();
        words.lines()
                .filter(line -> line.contains(ASKED))
                .map(line -> line.substring(line.indexOf(ASKED) + ASKED.length()))
                .flatMap(asked -> KEY.matcher(asked).results())
                .map(key -> key.group(1))
                .filter(key -> !key.startsWith("gpu-sched.io/"))
                .filter(key -> !words.contains(key + " not in mps (with MPS"))
                .forEach(keys::add);
        return keys;
    }

    /** Whether a node is of the system that the pod asks, which no label of the pod can change. */
    private static boolean mayServe(SeenCluster seen, String node, String refusal) {
        String own = seen.cluster()
                .node(node)
                .map(state -> state.node().labels().getOrDefault(DialectSet.LABEL, ""))
                .orElse("");
        return Pattern.compile(SYSTEM)
                .matcher(refusal)
                .results()
                .allMatch(asked -> asked.group().equals(DialectSet.LABEL + "=" + own));
    }

    /** What a pod has to select of these labels to go to a node. */
    private static String selecting(SeenCluster seen, String node, Set<String> keys) {
        Map<String, String> labels =
                seen.cluster().node(node).map(state -> state.node().labels()).orElse(Map.of());
        return "select "
                + keys.stream()
                        .map(key -> labels.containsKey(key) ? key + "=" + labels.get(key) : "no " + key)
                        .collect(Collectors.joining(" and "))
                + ", as " + node + " has";
    }

    /** Returns the name of a system, as it stands in a sentence. */
    static String title(NamedDialect named) {
        return named.dialect() instanceof DevicePluginDialect plugin
                ? "the device plugin of " + plugin.resource()
                : named.dialect().name();
    }
}
