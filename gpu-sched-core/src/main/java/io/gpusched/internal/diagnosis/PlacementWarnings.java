package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Fact;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** Returns what is to be said of the places of members of groups: keys that no node has, and localities that are not kept. */
    public static List<Fact> of(Cluster cluster, RuleCounts rules, PodGroup group, List<Placement> placements) {
        List<Fact> warnings = new ArrayList<>();
        if (group.pods().stream().anyMatch(pod -> pod.spec().concernsOthers())) {
            warnings.addAll(keys(cluster, rules, group.pods()));
        }
        Map<InNamespace, List<Node>> places = new LinkedHashMap<>();
        for (Placement placement : placements) {
            for (GroupMembership of :
                    placement.group().map(GroupMembership::all).orElse(List.of())) {
                if (of.locality().scope() != Locality.Scope.ANYWHERE
                        && !of.locality().required()) {
                    InNamespace key = new InNamespace(placement.pod().namespace(), of);
                    places.computeIfAbsent(key, any -> new ArrayList<>())
                            .add(cluster.node(placement.node()).orElseThrow().node());
                }
            }
        }
        places.forEach((of, nodes) -> addPlaces(cluster, rules, of, nodes, warnings));
        return List.copyOf(warnings);
    }

    private record InNamespace(String namespace, GroupMembership group) {}

    private static void addPlaces(
            Cluster cluster, RuleCounts rules, InNamespace of, List<Node> nodes, List<Fact> warnings) {
        int domains = rules.domains(of.namespace(), of.group(), nodes);
        if (domains > 1) {
            warnings.add(new Fact.Elsewhere(of.group(), domains));
        } else if (domains == 0
                && MissingLevel.isOf(Locality.within(of.group().locality().level()), cluster)) {
            warnings.add(new KnownNames(cluster).level(of.group().locality().level()));
        }
    }

    /** Returns which keys of rules of some pods no node has, each once. */
    private static List<Fact> keys(Cluster cluster, RuleCounts rules, List<Pod> pods) {
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
