package io.gpusched.kubernetes.extender;

import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.HostPriority;
import io.gpusched.model.Cluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which nodes the dialect likes best, by what it thinks of the pod's best place on each: the best of those sent gets 10,
 * the worst 0, those between in proportion. A node without room gets 0. Changes nothing.
 */
final class PrioritizeVerb {
    private final ClusterMirror mirror;

    PrioritizeVerb(ClusterMirror mirror) {
        this.mirror = mirror;
    }

    List<HostPriority> prioritize(FilterArguments arguments) {
        AskedPod asked = AskedPod.of(arguments.pod(), mirror.dialects());
        AskedNodes nodes = AskedNodes.of(arguments, mirror.clusterFor(asked.id()), mirror.dialects());
        Map<String, Long> scores = scores(asked, nodes);
        long best = scores.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long worst = scores.values().stream().mapToLong(Long::longValue).min().orElse(0);
        List<HostPriority> priorities = new ArrayList<>();
        for (String name : nodes.sent().keySet()) {
            Long score = scores.get(name);
            priorities.add(new HostPriority(name, score == null ? HostPriority.WORST : scaled(score, worst, best)));
        }
        return priorities;
    }

    private Map<String, Long> scores(AskedPod asked, AskedNodes nodes) {
        Map<String, Long> scores = new LinkedHashMap<>();
        Cluster cluster = nodes.cluster();
        try {
            DeviceFit fit =
                    DeviceFit.of(mirror.informed(asked.named().dialect()), asked.gpusOnly(mirror.dialects()), cluster);
            for (String name : nodes.sent().keySet()) {
                cluster.node(name)
                        .ifPresent(node ->
                                fit.place(node).ifPresent(found -> scores.put(name, fit.score(node, found))));
            }
        } catch (RefusedException e) {
            return Map.of();
        }
        return scores;
    }

    /** Scores have no bounds, so their distance is told as a floating-point number; nothing that fits depends on it. */
    static long scaled(long score, long worst, long best) {
        return worst == best
                ? HostPriority.BEST
                : Math.round(HostPriority.BEST * ((double) score - worst) / ((double) best - worst));
    }
}
