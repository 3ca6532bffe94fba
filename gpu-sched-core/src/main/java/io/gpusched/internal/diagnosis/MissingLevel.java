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
        return !domain(node, level).equals(Topology.NONE);
    }

    /** The domain of a level in which a node stands, or of the label that stands for the level; {@link Topology#NONE} if none. */
    static Topology domain(NodeState node, String level) {
        Topology path = node.node().topology().upTo(level);
        String label = node.node().labels().getOrDefault(level, "");
        return path.equals(Topology.NONE) && !label.isBlank() ? Topology.of(level, label) : path;
    }

    /** Says that no node has this level. */
    static Diagnosis diagnosis(Cluster cluster, String subject, String level) {
        Fact.Unknown fact = new KnownNames(cluster).level(level);
        Remedy remedy = new Remedy(List.of(new Change.ChooseKnown(fact.kind(), level, fact.known())));
        List<Reason> reasons = List.of(reason(Code.TOPOLOGY_LEVEL, cluster.nodes(), fact));
        return new Diagnosis(subject, Certainty.PROVEN, cluster.size(), reasons, false, remedy);
    }

    static Reason reason(Code code, List<NodeState> nodes, Fact fact) {
        List<String> names = nodes.stream().map(NodeState::name).toList();
        return new Reason(code, names, List.of(), List.of(fact), List.of());
    }
}
