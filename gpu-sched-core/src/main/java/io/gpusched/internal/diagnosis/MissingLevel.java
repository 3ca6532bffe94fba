package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import java.util.List;

/** Why a group is refused that must stay in one domain of a topology level, which nodes do not have. */
final class MissingLevel {
    private MissingLevel() {}

    /** Whether a group must stay in one domain of a level that no node has. */
    static boolean isOf(Locality locality, Cluster cluster) {
        return locality.required()
                && locality.scope() == Locality.Scope.DOMAIN
                && cluster.size() > 0
                && cluster.nodes().stream().noneMatch(node -> hasLevel(node, locality.level()));
    }

    static boolean hasLevel(NodeState node, String level) {
        return !node.node().topology().upTo(level).equals(Topology.NONE);
    }

    /** Says that no node has this level. */
    static Diagnosis diagnosis(Cluster cluster, String subject, String level) {
        List<String> known = cluster.nodes().stream()
                .flatMap(node -> node.node().topology().domains().stream())
                .map(Topology.Domain::level)
                .distinct()
                .sorted()
                .toList();
        Reason reason = reason(cluster.nodes(), new Fact.NoDomain(level, known, false));
        Remedy remedy = new Remedy(List.of(new Change.ChooseLevel(level, known)));
        return new Diagnosis(subject, Certainty.PROVEN, cluster.size(), List.of(reason), false, remedy);
    }

    static Reason reason(List<NodeState> nodes, Fact.NoDomain fact) {
        List<String> first =
                nodes.stream().limit(Reason.MOST_NAMES).map(NodeState::name).toList();
        return new Reason(Code.TOPOLOGY_LEVEL, nodes.size(), first, List.of(), List.of(fact), List.of());
    }
}
