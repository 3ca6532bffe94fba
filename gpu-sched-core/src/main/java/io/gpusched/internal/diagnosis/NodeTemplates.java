package io.gpusched.internal.diagnosis;

import io.gpusched.decision.NodeTemplate;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes the nodes that pods need. */
final class NodeTemplates {
    private NodeTemplates() {}

    /** What a node needs for all these pods together. */
    static NodeTemplate of(List<PodDemand> demands, Topology place) {
        return of(demands, List.of(), place);
    }

    /**
     * What a node that joins needs for all these pods together; null if there can be no such node, or rules keep the pods away from any
     * in this place.
     *
     * @param counts of rules, at the snapshot at which the pods lack room
     * @param nodes those of the place
     */
    static @Nullable NodeTemplate ofNew(
            List<PodDemand> demands, KnownNames names, RuleCounts counts, Topology place, List<NodeState> nodes) {
        Set<NodeRequirement> rules = new LinkedHashSet<>();
        int whole = 0;
        for (PodDemand demand : demands) {
            RuleSet own = demand.rules();
            List<NodeRequirement> asked = own == null ? List.of() : own.ofNewNode(counts);
            whole += demand.ordinaryWhole();
            if (asked == null
                    || !Contradictions.areNone(demand, asked)
                    || !names.areMade(demand)
                    || Math.max(whole, demand.gpusNeeded()) > Node.MAX_GPUS) {
                return null;
            }
            rules.addAll(asked);
        }
        boolean canBeThere = place.equals(Topology.NONE) || rules.stream().allMatch(rule -> isMetThere(rule, nodes));
        return canBeThere ? of(demands, List.copyOf(rules), place) : null;
    }

    /** Whether a node may meet a requirement in a place whose nodes all say the same of it. */
    private static boolean isMetThere(NodeRequirement rule, List<NodeState> nodes) {
        List<String> values = nodes.stream()
                .map(node -> String.valueOf(NodeRequirement.value(rule.key(), node.node())))
                .distinct()
                .toList();
        return values.size() != 1 || rule.matches(nodes.get(0).node());
    }

    private static NodeTemplate of(List<PodDemand> demands, List<NodeRequirement> rules, Topology place) {
        Resources sum = Resources.NONE;
        EnumSet<NodeMode> modes = EnumSet.allOf(NodeMode.class);
        List<GpuRequest> gpus = new ArrayList<>();
        Set<NodeSelector> labels = new LinkedHashSet<>();
        for (PodDemand demand : demands) {
            sum = sum.plus(demand.resources());
            // partitions lie on nodes of any mode
            modes.removeIf(mode -> demand.needsWhole() && !mode.admitsWhole());
            modes.removeIf(mode -> demand.needsShares() && !mode.admitsShares());
            demand.gpuContainers().stream().map(Container::gpu).forEach(gpus::add);
            if (!demand.pod().nodeSelector().terms().isEmpty()) {
                labels.add(demand.pod().nodeSelector());
            }
        }
        if (!rules.isEmpty()) {
            labels.add(new NodeSelector(List.of(new NodeSelector.Term(rules))));
        }
        return new NodeTemplate(sum, modes, gpus, List.copyOf(labels), place);
    }
}
