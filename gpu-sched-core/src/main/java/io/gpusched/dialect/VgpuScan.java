package io.gpusched.dialect;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.access.DecisionAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Goes through nodes in a system's order and takes the first that has room, laid out as the system would lay it out;
 * where the system's own rule finds no layout, the exact search does.
 *
 * @param own the system's own layout of the pod on a node, or nothing where its rule finds none
 * @param allowed whether a placement is allowed on a node, beyond having room
 */
record VgpuScan(Function<NodeState, Optional<List<List<VgpuShare>>>> own, BiPredicate<NodeState, Placement> allowed) {

    /** Decides where a pod goes; O(nodes). */
    Decision schedule(Cluster cluster, Pod pod, List<NodeState> inOrder) {
        GpuScheduler exact = GpuScheduler.create();
        for (NodeState node : inOrder) {
            Optional<Placement> found = place(exact, node, pod);
            if (found.isPresent()) {
                return new Placed(found.get());
            }
        }
        Decision decision = exact.schedule(cluster, pod);
        return decision instanceof Placed ? overQuota(cluster, pod) : decision;
    }

    private Optional<Placement> place(GpuScheduler exact, NodeState node, Pod pod) {
        Optional<Placement> any = exact.place(node, pod);
        if (any.isEmpty()) {
            return any;
        }
        return own.apply(node)
                .flatMap(shares -> VgpuView.placement(node, pod, shares))
                .or(() -> any)
                .filter(placement -> allowed.test(node, placement));
    }

    private static Decision overQuota(Cluster cluster, Pod pod) {
        String subject = "pod \"" + pod.id() + "\"";
        Reason reason = Reason.of(
                Reason.Code.QUOTA, cluster.size(), HamiReason.QUOTA_NOT_FIT.word() + ": the namespace's quota");
        Change change = Change.of(Change.Kind.RAISE_QUOTA, "", "a greater quota, or pods of the namespace that leave");
        Diagnosis diagnosis = new Diagnosis(
                subject, Certainty.PROVEN, cluster.size(), List.of(reason), true, new Remedy(List.of(change)));
        return DecisionAccess.instance().unschedulable(subject, Certainty.PROVEN, () -> diagnosis);
    }
}
