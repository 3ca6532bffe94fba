package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Works out why a request has no place, by one look at every node. Not thread-safe. */
public final class Diagnoser {
    /** What the pod would have to accept on a node besides what it does, as bits. */
    private static final int TAINTS = 1;

    private static final int LABELS = 2;
    private static final int CONCESSIONS = 4;

    private final RuleCounts rules;
    private final KnownNames names;
    private final PodDemand demand;
    private final NodeReasons filter;
    private final ReasonTally tally;

    /** The nodes that are nearest to taking the pod, by what it would have to accept there; none that ask for more are sought once it is found. */
    private final List<RemedyFinder> finders;

    /** Whether some node may hold the request later. */
    private boolean later;

    private Diagnoser(
            Cluster cluster,
            RuleCounts rules,
            PodDemand asked,
            boolean isProven,
            Predicate<PodId> stays,
            SearchSteps steps) {
        this.rules = rules;
        this.names = new KnownNames(cluster);
        this.demand = asked.under(rules);
        this.filter = new NodeReasons(demand, isProven, steps);
        this.tally = new ReasonTally(filter);
        this.finders = IntStream.range(0, CONCESSIONS)
                .mapToObj(any -> new RemedyFinder(filter, stays))
                .toList();
    }

    /** Explains why a pod has no place on some nodes of a cluster; null if it has one. */
    public static @Nullable Diagnosis diagnose(
            Cluster cluster,
            List<NodeState> nodes,
            RuleCounts rules,
            PodDemand demand,
            String subject,
            SearchSteps steps) {
        Diagnosis found = diagnose(cluster, nodes, rules, demand, subject, Certainty.LIMIT, steps);
        List<Reason> reasons = Stream.concat(Stream.of(found), found.otherwise().stream())
                .flatMap(one -> one.reasons().stream())
                .toList();
        if (reasons.stream().anyMatch(reason -> reason.code() == Code.GROUP)) {
            return null;
        }
        boolean isProven = reasons.stream().noneMatch(reason -> reason.code() == Code.SEARCH_LIMIT);
        return isProven ? diagnose(cluster, nodes, rules, demand, subject, Certainty.PROVEN, steps) : found;
    }

    /**
     * Explains why a pod has no place.
     *
     * @param rules the counts of this snapshot; those of one without nodes where no rules keep the pod away from any node
     * @param certainty whether infeasibility is proven
     */
    public static Diagnosis diagnose(
            Cluster cluster,
            RuleCounts rules,
            PodDemand demand,
            String subject,
            Certainty certainty,
            SearchSteps steps) {
        return diagnose(cluster, cluster.nodes(), rules, demand, subject, certainty, steps);
    }

    private static Diagnosis diagnose(
            Cluster cluster,
            List<NodeState> nodes,
            RuleCounts rules,
            PodDemand demand,
            String subject,
            Certainty certainty,
            SearchSteps steps) {
        List<PodDemand> alternatives = alternatives(demand);
        List<Diagnosis> each = new ArrayList<>();
        for (PodDemand one : alternatives) {
            Diagnoser diagnoser =
                    new Diagnoser(cluster, rules, one, certainty == Certainty.PROVEN, pod -> false, steps);
            nodes.forEach(diagnoser::look);
            String named = alternatives.size() == 1 ? subject : subject + " as " + gpus(one);
            each.add(diagnoser.diagnosis(named, certainty, nodes.size()));
        }
        Diagnosis first = each.get(0);
        return new Diagnosis(
                first.subject(),
                certainty,
                first.nodes(),
                first.reasons(),
                first.couldFitLater(),
                first.remedy(),
                each.subList(1, each.size()));
    }

    private static String gpus(PodDemand demand) {
        return demand.gpuContainers().stream()
                .map(container -> container.gpu().toString())
                .collect(Collectors.joining(" and "));
    }

    /** The alternatives of a request, without what it only prefers. */
    private static List<PodDemand> alternatives(PodDemand demand) {
        List<PodDemand> alternatives = new ArrayList<>();
        for (PodDemand one = demand; one != null; one = one.otherwise()) {
            if (!one.isPreferred()) {
                alternatives.add(one);
            }
        }
        return alternatives;
    }

    private Diagnosis diagnosis(String subject, Certainty certainty, int nodes) {
        return new Diagnosis(subject, certainty, nodes, tally.reasons(rules, names), later, remedy());
    }

    /** Returns the reasons of some nodes, in node order, for the first alternative of a request; {@link Code#GROUP} counts those on which it fits. */
    static List<Reason> reasons(
            Cluster cluster, List<NodeState> nodes, RuleCounts rules, PodDemand demand, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(cluster, rules, alternatives(demand).get(0), false, pod -> true, steps);
        nodes.forEach(diagnoser::look);
        return diagnoser.tally.reasons(rules, diagnoser.names);
    }

    /**
     * Returns the least that would have to change on one of some nodes, in node order, for an alternative of a request to fit there;
     * nothing if that is impossible.
     *
     * @param stays the pods that cannot be asked to leave
     */
    static List<Change> remedy(
            Cluster cluster,
            List<NodeState> nodes,
            RuleCounts rules,
            PodDemand demand,
            Predicate<PodId> stays,
            SearchSteps steps) {
        for (PodDemand one : alternatives(demand)) {
            Diagnoser diagnoser = new Diagnoser(cluster, rules, one, false, stays, steps);
            nodes.forEach(diagnoser::look);
            List<Change> changes = diagnoser.changes();
            if (!changes.isEmpty()) {
                return changes;
            }
        }
        return List.of();
    }

    private void look(NodeState node) {
        Code code = filter.of(node);
        tally.add(code, node);
        if (code == Code.GROUP) {
            return;
        }
        int concession = (filter.toleratesTaints(node) ? 0 : TAINTS) | (filter.acceptsLabels(node) ? 0 : LABELS);
        if (concession == 0 && !code.isTransient() || isFoundFor(concession)) {
            return;
        }
        // reasons that come later than the ports are said only of machines that would do
        if (code.compareTo(Code.HOST_PORT) > 0 || filter.mayHold(node)) {
            later |= concession == 0 || concession == TAINTS && isPassing(node);
            if (filter.meetsRules(node)) {
                finders.get(concession).offer(node);
            }
        }
    }

    /** Whether the taints that keep the pod away are states of the node that pass. */
    private boolean isPassing(NodeState node) {
        return ReasonTally.untolerated(demand, node).stream().allMatch(Taints::isPassing);
    }

    /** Whether there is a node for which the pod would have to accept less. */
    private boolean isFoundFor(int concession) {
        for (int less = 0; less < concession; less++) {
            if (finders.get(less).isFound()) {
                return true;
            }
        }
        return false;
    }

    private List<Change> changes() {
        return finders.stream()
                .filter(RemedyFinder::isFound)
                .findFirst()
                .map(RemedyFinder::changes)
                .orElse(List.of());
    }

    private Remedy remedy() {
        NodeTemplate template = NodeTemplates.ofNew(List.of(demand), names, rules, Topology.NONE, List.of());
        List<Change.AddNodes> nodes = template == null ? List.of() : List.of(new Change.AddNodes(1, template));
        return remedy(changes(), names.choices(demand), nodes);
    }

    /** The first of these that there are: what has to change on a node, which names have to be others, which nodes to add. */
    static Remedy remedy(List<Change> changes, List<Change> choices, List<Change.AddNodes> nodes) {
        return new Remedy(
                !changes.isEmpty() ? changes : !choices.isEmpty() ? choices : List.<Change>copyOf(nodes), nodes);
    }
}
