package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A pod that accepts more nodes than the one asked for, and what that one would have to accept. */
final class WiderPod {
    private WiderPod() {}

    /**
     * Returns the pod, accepting all labels or tolerating every taint that nodes of a cluster have or both. It minds a cordon
     * as before, which who tolerates everything does not.
     */
    static Pod of(Cluster cluster, Pod pod, boolean anyLabels, boolean tolerant) {
        return new Pod(
                        pod.id(),
                        pod.containers(),
                        anyLabels ? NodeSelector.ANY : pod.nodeSelector(),
                        tolerant ? tolerations(cluster, pod) : pod.tolerations(),
                        pod.overhead())
                .withRules(pod.rules());
    }

    private static List<Toleration> tolerations(Cluster cluster, Pod pod) {
        Set<Toleration> all = new LinkedHashSet<>(pod.tolerations());
        for (NodeClass nodeClass : cluster.classes().keySet()) {
            for (Taint taint : nodeClass.taints()) {
                all.add(new Toleration(taint.key(), Optional.of(taint.value()), Optional.of(taint.effect())));
            }
        }
        return List.copyOf(all);
    }

    /** Returns what a pod would have to tolerate and accept to go to a node. */
    static List<Change> changes(Pod pod, NodeState node) {
        List<Change> changes = new ArrayList<>();
        for (String taint : RemedyFinder.untolerated(Taints.tolerated(pod.tolerations()), node.nodeClass())) {
            changes.add(Change.of(Kind.TOLERATE_TAINT, node.name(), taint));
        }
        if (!pod.nodeSelector().matches(node.node())) {
            changes.add(Change.of(Kind.ACCEPT_LABELS, node.name()));
        }
        return changes;
    }
}
