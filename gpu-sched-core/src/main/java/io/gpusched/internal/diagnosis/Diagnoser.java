package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
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
    private final NodeExam exam;
    private final ReasonTally tally;
    private final Remedies remedies;

    /** The first node in node order on which nothing stands against the request. */
    private @Nullable NodeState open;

    private final NodeState[] taken = new NodeState[64];
    private int count;

    @SuppressWarnings("UnusedVariable") // written so that what fetches the nodes is not optimised away
    private long fetched;

    private Diagnoser(Cluster cluster, PodDemand demand) {
        this.cluster = cluster;
        this.demand = demand;
        this.exam = new NodeExam(cluster, demand);
        this.tally = new ReasonTally(exam);
        this.remedies = new Remedies(exam);
    }

    /** Explains why a pod has no place. */
    public static Diagnosis diagnose(Cluster cluster, PodDemand demand, String subject) {
        Diagnoser diagnoser = new Diagnoser(cluster, demand);
        diagnoser.scan();
        Certainty certainty = diagnoser.tally.nodes(Code.SEARCH_LIMIT) > 0 ? Certainty.LIMIT : Certainty.PROVEN;
        boolean later = diagnoser.tally.hasTransient();
        return new Diagnosis(subject, certainty, cluster.size(), diagnoser.tally.reasons(), later, diagnoser.remedy());
    }

    /** Returns the reasons node by node for one request; {@link Code#GROUP} counts the nodes on which it fits. */
    public static List<Reason> reasons(Cluster cluster, PodDemand demand) {
        Diagnoser diagnoser = new Diagnoser(cluster, demand);
        diagnoser.scan();
        return diagnoser.tally.reasons();
    }

    /** Returns the least that would have to change for a request to fit within a range of the node order. */
    public static String remedy(Cluster cluster, PodDemand demand, NodeRange range) {
        Diagnoser diagnoser = new Diagnoser(cluster, demand);
        ClusterIndex.of(cluster).nodes(range).forEach(diagnoser::look);
        return diagnoser.remedy();
    }

    private void scan() {
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            NodeClass nodeClass = nodes.nodeClass();
            Code code = exam.ofWholeClass(nodeClass);
            if (code != null) {
                tally.add(code, nodeClass);
                continue;
            }
            nodes.forEach(this::take);
            lookAtTaken();
        }
    }

    /** Takes a node to look at it together with others, so that their fetches from memory overlap: most of the work. */
    private void take(NodeState node) {
        taken[count++] = node;
        if (count == taken.length) {
            lookAtTaken();
        }
    }

    private void lookAtTaken() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += taken[i].idleGpus() + (taken[i].isCordoned() ? 1 : 0);
        }
        fetched = sum;
        for (int i = 0; i < count; i++) {
            look(taken[i]);
        }
        count = 0;
    }

    private void look(NodeState node) {
        Code code = exam.of(node);
        tally.add(code, node);
        if (code == Code.GROUP) {
            open = open == null || node.order() < open.order() ? node : open;
        } else if (code.isTransient()) {
            remedies.offer(node);
        }
    }

    private String remedy() {
        if (remedies.nearest().isPresent()) {
            return remedies.words();
        }
        List<Toleration> all = List.of(Toleration.everything());
        Pod pod = demand.pod();
        String words = otherwise(new Pod(pod.id(), pod.containers(), pod.nodeSelector(), all, pod.overhead()));
        if (words.isEmpty()) {
            words = otherwise(new Pod(pod.id(), pod.containers(), NodeSelector.ANY, pod.tolerations(), pod.overhead()));
        }
        if (words.isEmpty()) {
            words = otherwise(new Pod(pod.id(), pod.containers(), NodeSelector.ANY, all, pod.overhead()));
        }
        return words.isEmpty() ? "add a node with " + needs() : words;
    }

    /** What would have to change if the pod accepted more nodes than it does; empty if even then none could take it. */
    private String otherwise(Pod wider) {
        Diagnoser diagnoser = new Diagnoser(cluster, new PodDemand(wider, demand.allocations()));
        diagnoser.scan();
        NodeState target = diagnoser.open != null
                ? diagnoser.open
                : diagnoser.remedies.nearest().orElse(null);
        if (target == null) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        for (String taint : Remedies.untolerated(demand.pod(), target.nodeClass())) {
            parts.add("tolerate taint " + taint + " of " + target.name());
        }
        if (!Admission.admits(demand.pod(), target)) {
            parts.add("accept the labels of " + target.name());
        }
        if (diagnoser.open == null) {
            parts.add(diagnoser.remedies.words());
        }
        return String.join(" and ", parts);
    }

    private String needs() {
        String mode = demand.needsWhole() && demand.needsShares()
                ? " in mode MIXED"
                : demand.needsWhole() ? " in mode EXCLUSIVE or MIXED" : " in mode SHARED or MIXED";
        String gpus = demand.gpuContainers().isEmpty() ? "" : mode + ", for " + new Asked(demand).gpus();
        return demand.resources() + gpus;
    }
}
