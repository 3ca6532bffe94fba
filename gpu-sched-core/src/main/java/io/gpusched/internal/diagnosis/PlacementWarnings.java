package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Fact;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** What an embedder should know of a placement: keys that no node has, and preferred localities that were not kept. */
public final class PlacementWarnings {
    private PlacementWarnings() {}

    /**
     * Returns what is to be said of the place of a pod; mostly nothing, at once.
     *
     * @param rules the counts of the snapshot before it is placed
     */
    public static List<Fact> of(Cluster cluster, RuleCounts rules, Pod pod, Placement placement) {
        List<Fact> warnings = new ArrayList<>(keys(cluster, rules, pod));
        for (GroupMembership group : pod.group().map(GroupMembership::all).orElse(List.of())) {
            Locality locality = group.locality();
            Node node = cluster.node(placement.node()).orElseThrow().node();
            if (locality.scope() != Locality.Scope.ANYWHERE
                    && !locality.required()
                    && !rules.isNearMost(pod.id().namespace(), group, node)) {
                warnings.add(new Fact.Elsewhere(group, 1));
            }
        }
        return List.copyOf(warnings);
    }

    /** Returns which keys of rules of some pods no node has, each once. */
    public static List<Fact> keys(Cluster cluster, RuleCounts rules, List<Pod> pods) {
        return pods.stream()
                .flatMap(pod -> keys(cluster, rules, pod).stream())
                .distinct()
                .toList();
    }

    private static List<Fact> keys(Cluster cluster, RuleCounts rules, Pod pod) {
        return KnownNames.topologyKeys(pod).stream().allMatch(rules::knows)
                ? List.of()
                : new KnownNames(cluster).unknownTopologyKeys(pod);
    }
}
