package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.internal.fit.Admission;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;

/** A pod that accepts more nodes than the one asked for, and what that one would have to accept. */
final class WiderPod {
    private WiderPod() {}

    /** Returns the pod, accepting all labels or tolerating every taint or both. */
    static Pod of(Pod pod, boolean anyLabels, boolean tolerant) {
        return new Pod(
                        pod.id(),
                        pod.containers(),
                        anyLabels ? NodeSelector.ANY : pod.nodeSelector(),
                        tolerant ? List.of(Toleration.everything()) : pod.tolerations(),
                        pod.overhead())
                .withRules(pod.rules());
    }

    /** Returns what a pod would have to tolerate and accept to go to a node. */
    static List<Change> changes(Pod pod, NodeState node) {
        List<Change> changes = new ArrayList<>();
        for (String taint : RemedyFinder.untolerated(pod, node.nodeClass())) {
            changes.add(Change.of(Kind.TOLERATE_TAINT, node.name(), taint));
        }
        if (!Admission.matchesLabels(pod, node.node())) {
            changes.add(Change.of(Kind.ACCEPT_LABELS, node.name()));
        }
        return changes;
    }
}
