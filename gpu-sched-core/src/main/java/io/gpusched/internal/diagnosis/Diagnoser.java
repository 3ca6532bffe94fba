package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Works out why a request has no place, by one look at every node. Not thread-safe. */
public final class Diagnoser {
    /** How many nodes are fetched from memory together. */
    private static final int AT_ONCE = 32;

    private final Cluster cluster;
    private final PodDemand demand;
    private final SearchSteps steps;
    private final NodeFilter filter;
    private final ReasonTally tally;
    private final RemedyFinder finder;

    /** The first node in node order that has room for the request. */
    private @Nullable NodeState open;

    /** Whether some node may hold the request later. */
    private boolean later;

    private Diagnoser(Cluster cluster, PodDemand asked, SearchSteps steps) {
        this.cluster = cluster;
        this.demand = RuledDemand.of(RuleCounts.of(cluster), asked);
        this.steps = steps;
        this.filter = new NodeFilter(demand, steps);
        this.tally = new ReasonTally(filter);
        this.finder = new RemedyFinder(filter);
    }

    /**
     * Explains why a pod has no place.
     *
     * @param certainty whether infeasibility is proven
     */
    public static Diagnosis diagnose(
            Cluster cluster, PodDemand demand, String subject, Certainty certainty, SearchSteps steps) {
        List<PodDemand> shapes = shapes(demand);
        if (shapes.size() == 1) {
            return diagnoseShape(cluster, shapes.get(0), subject, certainty, steps);
        }
        List<Diagnosis> each = new ArrayList<>();
        for (PodDemand shape : shapes) {
            String named = subject + " as " + new RequestFormatter(shape).gpus();
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
        Diagnoser diagnoser = new Diagnoser(RuledDemand.opened(cluster, demand), demand, steps);
        diagnoser.scan();
        List<Reason> reasons = diagnoser.tally.reasons();
        return new Diagnosis(
                subject, certainty, cluster.size(), reasons, diagnoser.later, new Remedy(diagnoser.remedy()));
    }

    /** Returns the reasons node by node for one request in its first shape; {@link Code#GROUP} counts the nodes on which it fits. */
    static List<Reason> reasons(Cluster cluster, PodDemand demand, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(
                RuledDemand.opened(cluster, demand), shapes(demand).get(0), steps);
        diagnoser.scan();
        return diagnoser.tally.reasons();
    }

    /** As {@link #reasons}, but counting only nodes that pass a test; O(nodes). */
    static List<Reason> reasons(Cluster cluster, PodDemand demand, Predicate<NodeState> counted, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(cluster, shapes(demand).get(0), steps);
        for (NodeState node : cluster.nodes()) {
            if (counted.test(node)) {
                diagnoser.look(node);
            }
        }
        return diagnoser.tally.reasons();
    }

    /**
     * Returns the least that would have to be freed for a request to fit within a range of the node order, on other nodes
     * than these; nothing if that is impossible.
     */
    static List<Change> freeing(
            Cluster cluster, PodDemand demand, NodeRange range, Set<String> excluded, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(
                RuledDemand.opened(cluster, demand), shapes(demand).get(0), steps);
        ClusterIndex.of(cluster).nodes(range).forEach(node -> {
            if (!excluded.contains(node.name())) {
                diagnoser.look(node);
            }
        });
        return diagnoser.finder.changes();
    }

    private void scan() {
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            Code code = filter.ofWholeClass(nodes.nodeClass());
            if (code == null || code == Code.NODE_TOO_SMALL) {
                lookAtAll(nodes);
            } else {
                addAll(nodes, code);
            }
        }
    }

    /** Reads that depend on nothing wait for memory together; those of one node after the other would wait in turn. */
    private void lookAtAll(ClassIndex nodes) {
        NodeState[] next = new NodeState[AT_ONCE];
        int[] count = {0};
        nodes.forEach(node -> {
            next[count[0]++] = node;
            if (count[0] == AT_ONCE) {
                lookAt(next, AT_ONCE);
                count[0] = 0;
            }
        });
        lookAt(next, count[0]);
    }

    private void lookAt(NodeState[] nodes, int count) {
        long fetched = 0;
        for (int i = 0; i < count; i++) {
            fetched |= nodes[i].idleMask() >>> 1;
        }
        for (int i = 0; i < count && fetched >= 0; i++) {
            look(nodes[i]);
        }
    }

    /** Counts the nodes of a class under one reason, but for those that are cordoned. */
    private void addAll(ClassIndex nodes, Code code) {
        int[] open = {0};
        nodes.forEach(node -> {
            if (node.isCordoned()) {
                look(node);
            } else {
                open[0]++;
                tally.name(code, node);
            }
        });
        if (open[0] > 0) {
            tally.add(code, nodes.nodeClass(), open[0]);
        }
    }

    private void look(NodeState node) {
        Code code = filter.of(node);
        tally.add(code, node);
        if (code == Code.GROUP) {
            open = open == null || NodeAccess.order(node) < NodeAccess.order(open) ? node : open;
        } else if (code.isTransient() && filter.mayHoldLater(node, code)) {
            later = true;
            if (filter.meetsRules(node)) {
                finder.offer(node);
            }
        }
    }

    private List<Change> remedy() {
        if (finder.nearest().isPresent()) {
            return finder.changes();
        }
        List<Change> changes = otherwise(false, true);
        if (changes.isEmpty()) {
            changes = otherwise(true, false);
        }
        if (changes.isEmpty()) {
            changes = otherwise(true, true);
        }
        return changes.isEmpty() && wouldTakeNewNode()
                ? List.of(new Change(Kind.ADD_NODE, "", -1, 1, NodeNeeds.of(demand)))
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

    /** What would have to change if the pod accepted more nodes than it does; nothing if even then none could take it. */
    private List<Change> otherwise(boolean anyLabels, boolean tolerant) {
        Pod pod = demand.pod();
        PodDemand wider = new PodDemand(WiderPod.of(cluster, pod, anyLabels, tolerant));
        Diagnoser diagnoser = new Diagnoser(cluster, wider, steps);
        diagnoser.scan();
        NodeState target = diagnoser.open != null
                ? diagnoser.open
                : diagnoser.finder.nearest().orElse(null);
        if (target == null) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>(WiderPod.changes(pod, target));
        // a node that the pod accepts as it is was of no help before; it is only because fewer steps are left that it
        // seems to be now
        if (!changes.isEmpty() && diagnoser.open == null) {
            changes.addAll(diagnoser.finder.changes());
        }
        return changes;
    }
}
