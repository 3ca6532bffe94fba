package io.gpusched.internal.rules;

import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which taints are tolerated. */
public final class Taints {
    /** A pod that tolerates it may go to cordoned nodes, whether they have it or not, as pods of DaemonSets do. */
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    /** States of a node that pass, or are lifted: a cordon, a node that is not ready yet, pressure. */
    private static final List<String> PASSING = List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

    /** Marks of nodes that cluster-autoscaler and Karpenter are about to remove. */
    private static final Set<String> LEAVING = Set.of(
            "ToBeDeletedByClusterAutoscaler",
            "DeletionCandidateOfClusterAutoscaler",
            "karpenter.sh/disrupted",
            "karpenter.sh/disruption");

    private Taints() {}

    /** Whether a taint tells a passing state of the node, such as not ready or cordoned, and does not reserve the node for some pods. */
    public static boolean isPassing(Taint taint) {
        return PASSING.stream().anyMatch(taint.key()::startsWith);
    }

    /** Whether a taint says that the node is about to be removed. */
    public static boolean isLeaving(Taint taint) {
        return LEAVING.contains(taint.key());
    }

    /** Whether a taint stands for a cordon. */
    public static boolean isCordon(Taint taint) {
        return taint.key().equals(CORDON.key());
    }

    /** Whether all taints that forbid anything are tolerated. */
    public static boolean areTolerated(List<Taint> taints, Predicate<Taint> tolerated) {
        for (int i = 0; i < taints.size(); i++) {
            if (taints.get(i).effect().forbids() && !tolerated.test(taints.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether all taints that forbid anything are tolerated, and so many that are only to be avoided are not.
     *
     * @param avoided {@link RuleSet#ANY_TAINTS} if the number of these does not matter
     */
    public static boolean accepts(List<Taint> taints, Predicate<Taint> tolerated, int avoided) {
        return areTolerated(taints, tolerated)
                && (avoided == RuleSet.ANY_TAINTS || avoided(taints, tolerated) == avoided);
    }

    /** Whether a taint is tolerated. */
    public static boolean isTolerated(Taint taint, List<Toleration> tolerations) {
        for (int i = 0; i < tolerations.size(); i++) {
            if (tolerations.get(i).tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a test of taints for tolerations. */
    public static Predicate<Taint> tolerated(List<Toleration> tolerations) {
        return taint -> isTolerated(taint, tolerations);
    }

    /** Whether pods with these tolerations may go to cordoned nodes. */
    public static boolean isCordonTolerated(List<Toleration> tolerations) {
        return !tolerations.isEmpty() && isTolerated(CORDON, tolerations);
    }

    /** How many taints that are only to be avoided are not tolerated. */
    public static int avoided(List<Taint> taints, Predicate<Taint> tolerated) {
        int count = 0;
        for (int i = 0; i < taints.size(); i++) {
            boolean avoids = taints.get(i).effect() == Taint.Effect.PREFER_NO_SCHEDULE;
            count += avoids && !tolerated.test(taints.get(i)) ? 1 : 0;
        }
        return count;
    }
}
