package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Works out why a request has no place, by one look at every node. Not thread-safe. */
public final class Diagnoser {
    /** What the pod would have to accept on a node besides what it does, as bits. */
    private static final int TAINTS = 1;

    private static final int LABELS = 2;
    private static final int CONCESSIONS = 4;

    private final PodDemand demand;
    private final NodeFilter filter;
    private final ReasonTally tally;

    /** The nodes that are nearest to taking the pod, by what it would have to accept there; none that ask for more are sought once it is found. */
    private final List<RemedyFinder> finders;

    /** Whether some node may hold the request later. */
    private boolean later;

    private Diagnoser(Cluster cluster, PodDemand asked, boolean isProven, Predicate<PodId> stays, SearchSteps steps) {
        this.demand = RuledDemand.of(RuleCounts.of(cluster), asked);
        this.filter = new NodeFilter(demand, isProven, steps);
        this.tally = new ReasonTally(filter);
        this.finders = IntStream.range(0, CONCESSIONS)
                .mapToObj(any -> new RemedyFinder(filter, stays))
                .toList();
    }

    /**
     * Explains why a pod has no place.
     *
     * @param certainty whether infeasibility is proven
     */
    public static Diagnosis diagnose(
            Cluster cluster, PodDemand demand, String subject, Certainty certainty, SearchSteps steps) {
        List<PodDemand> shapes = shapes(demand);
        List<Diagnosis> each = new ArrayList<>();
        for (PodDemand shape : shapes) {
            String named = shapes.size() == 1 ? subject : subject + " as " + gpus(shape);
            each.add(diagnoseShape(cluster, shape, named, certainty, steps));
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

    /** The shapes in which the pod may be placed, without what it only prefers. */
    private static List<PodDemand> shapes(PodDemand demand) {
        List<PodDemand> shapes = new ArrayList<>();
        for (PodDemand shape = demand; shape != null; shape = shape.otherwise()) {
            if (!shape.isWish()) {
                shapes.add(shape);
            }
        }
        return shapes;
    }

    private static Diagnosis diagnoseShape(
            Cluster cluster, PodDemand demand, String subject, Certainty certainty, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(cluster, demand, certainty == Certainty.PROVEN, pod -> false, steps);
        cluster.nodes().forEach(diagnoser::look);
        return new Diagnosis(
                subject,
                certainty,
                cluster.size(),
                diagnoser.tally.reasons(),
                diagnoser.later,
                new Remedy(diagnoser.remedy()));
    }

    /** Returns the reasons of some nodes for one request in its first shape; {@link Code#GROUP} counts those on which it fits. */
    static List<Reason> reasons(Cluster cluster, PodDemand demand, Predicate<NodeState> counted, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(cluster, shapes(demand).get(0), false, pod -> true, steps);
        cluster.nodes().stream().filter(counted).forEach(diagnoser::look);
        return diagnoser.tally.reasons();
    }

    /**
     * Returns the least that would have to change on some node for a request to fit there in one of its shapes; nothing if that is
     * impossible.
     *
     * @param place where
     * @param stays the pods that cannot be asked to leave
     */
    static List<Change> remedy(
            Cluster cluster, PodDemand demand, Predicate<NodeState> place, Predicate<PodId> stays, SearchSteps steps) {
        List<Change> changes = List.of();
        for (PodDemand shape : shapes(demand)) {
            Diagnoser diagnoser = new Diagnoser(cluster, shape, false, stays, steps);
            cluster.nodes().stream().filter(place).forEach(diagnoser::look);
            changes = changes.isEmpty() ? diagnoser.changes() : changes;
        }
        return changes;
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
        // those that come later than the ports are said only of machines that would do
        if (code.compareTo(Code.HOST_PORT) > 0 || filter.mayHold(node)) {
            later |= concession == 0;
            if (filter.meetsRules(node)) {
                finders.get(concession).offer(node);
            }
        }
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

    private List<Change> remedy() {
        List<Change> changes = changes();
        return changes.isEmpty() && wouldTakeNewNode()
                ? List.of(new Change.AddNodes(1, NodeTemplates.of(List.of(demand), Topology.NONE)))
                : changes;
    }

    /** Whether there can be a node such as the pod selects, and no rule could keep the pod away from it. */
    private boolean wouldTakeNewNode() {
        RuleSet rules = demand.rules();
        return Contradictions.areNone(demand)
                && (rules == null
                        || rules.admitsNodeWith(
                                demand.pod().nodeSelector().terms().isEmpty()));
    }
}
