package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.List;
import java.util.TreeSet;

/** Why a group is refused that must stay in one domain of a topology level that no node has. */
final class MissingLevel {
    private MissingLevel() {}

    /**
     * Says that no node has this level.
     *
     * @param later whether the group could start later all the same
     */
    static Diagnosis diagnosis(Cluster cluster, String subject, String level, boolean later) {
        TreeSet<String> levels = new TreeSet<>();
        for (NodeState node : cluster.nodes()) {
            node.node().topology().domains().forEach(domain -> levels.add(domain.level()));
        }
        String known = levels.isEmpty() ? "no node says where it stands" : "levels are " + String.join(", ", levels);
        List<String> names = cluster.nodes().stream()
                .limit(Reason.MOST_NAMES)
                .map(NodeState::name)
                .toList();
        Reason reason = new Reason(
                Code.TOPOLOGY_LEVEL,
                cluster.size(),
                names,
                List.of(),
                List.of("no node has the topology level \"" + level + "\"", known),
                level);
        List<Change> changes = levels.isEmpty()
                ? List.of(new Change(Kind.ADD_NODE, "", -1, 1, "the topology level \"" + level + "\""))
                : List.of(Change.of(Kind.CHOOSE_LEVEL, "", String.join(", ", levels)));
        return new Diagnosis(subject, Certainty.PROVEN, cluster.size(), List.of(reason), later, new Remedy(changes));
    }
}
