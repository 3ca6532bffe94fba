package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Works out why a request has no place, by one look at every node. Not thread-safe. */
public final class Diagnoser {
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
        this.demand = RuledDemand.of(cluster, asked);
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
        Diagnoser diagnoser = new Diagnoser(RuledDemand.opened(cluster, demand), demand, steps);
        diagnoser.scan();
        List<Reason> reasons = diagnoser.tally.reasons();
        return new Diagnosis(
                subject, certainty, cluster.size(), reasons, diagnoser.later, new Remedy(diagnoser.remedy()));
    }

    /** Returns the reasons node by node for one request; {@link Code#GROUP} counts the nodes on which it fits. */
    static List<Reason> reasons(Cluster cluster, PodDemand demand, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(RuledDemand.opened(cluster, demand), demand, steps);
        diagnoser.scan();
        return diagnoser.tally.reasons();
    }

    /** Returns the least that would have to change for a request to fit within a range of the node order. */
    static List<Change> remedy(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        Diagnoser diagnoser = new Diagnoser(RuledDemand.opened(cluster, demand), demand, steps);
        ClusterIndex.of(cluster).nodes(range).forEach(diagnoser::look);
        return diagnoser.remedy();
    }

    private void scan() {
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            Code code = filter.ofWholeClass(nodes.nodeClass());
            if (code == null || code == Code.NODE_TOO_SMALL) {
                nodes.forEach(this::look);
            } else {
                addAll(nodes, code);
            }
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
        } else if (code.isTransient() && filter.mayHoldLater(node)) {
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
        List<Toleration> all = List.of(Toleration.everything());
        Pod pod = demand.pod();
        List<Change> changes = otherwise(pod.nodeSelector(), all);
        if (changes.isEmpty()) {
            changes = otherwise(NodeSelector.ANY, pod.tolerations());
        }
        if (changes.isEmpty()) {
            changes = otherwise(NodeSelector.ANY, all);
        }
        return changes.isEmpty() && wouldTakeNewNode() ? List.of(Change.of(Kind.ADD_NODE, "", needs())) : changes;
    }

    /** Whether no rule could keep the pod away from a node that has the labels which it selects. */
    private boolean wouldTakeNewNode() {
        RuleSet rules = demand.rules();
        return rules == null
                || rules.admitsNodeWith(demand.pod().nodeSelector().terms().isEmpty());
    }

    /** What would have to change if the pod accepted more nodes than it does; nothing if even then none could take it. */
    private List<Change> otherwise(NodeSelector selector, List<Toleration> tolerations) {
        Pod pod = demand.pod();
        PodDemand wider = new PodDemand(
                new Pod(pod.id(), pod.containers(), selector, tolerations, pod.overhead()).withRules(pod.rules()));
        Diagnoser diagnoser = new Diagnoser(cluster, wider, steps);
        diagnoser.scan();
        NodeState target = diagnoser.open != null
                ? diagnoser.open
                : diagnoser.finder.nearest().orElse(null);
        List<Change> changes = new ArrayList<>();
        if (target == null) {
            return changes;
        }
        for (String taint : RemedyFinder.untolerated(pod, target.nodeClass())) {
            changes.add(Change.of(Kind.TOLERATE_TAINT, target.name(), taint));
        }
        if (!Admission.matchesLabels(pod, target.node())) {
            changes.add(Change.of(Kind.ACCEPT_LABELS, target.name()));
        }
        if (diagnoser.open == null) {
            changes.addAll(diagnoser.finder.changes());
        }
        return changes;
    }

    private String needs() {
        RequestFormatter asked = new RequestFormatter(demand);
        String mode = demand.needsWhole() && demand.needsShares()
                ? " in mode MIXED"
                : demand.needsWhole() ? " in mode EXCLUSIVE or MIXED" : " in mode SHARED or MIXED";
        String gpus = demand.gpuContainers().isEmpty() ? "" : mode + ", for " + asked.gpus();
        String labels = asked.labels();
        return demand.resources() + gpus + (labels.isEmpty() ? "" : ", labelled " + labels);
    }
}
