package io.gpusched.conformance.emulation;

import io.gpusched.kubernetes.extender.wire.FilterResult;
import io.gpusched.kubernetes.extender.wire.PreemptionResult;
import io.gpusched.kubernetes.extender.wire.Victims;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What kube-scheduler 1.37 does with an extender and with what it answers. */
public final class ExtenderClient {
    private ExtenderClient() {}

    /**
     * What became of the nodes that were sent to filter.
     *
     * @param feasible the nodes that are left, in the order of the answer
     * @param statuses why the others are not, by node
     */
    public record Filtered(List<String> feasible, Map<String, String> statuses) {}

    /** Returns whether an extender is asked about a pod that mentions these resources; without resources it always is. */
    public static boolean isInterested(Collection<String> managed, Collection<String> mentioned) {
        return managed.isEmpty() || mentioned.stream().anyMatch(managed::contains);
    }

    /** Returns what is made of an answer to filter; nothing if it is an error. */
    public static Optional<Filtered> filtered(List<String> sent, int httpStatus, FilterResult result) {
        List<String> feasible = result.nodeNames() == null ? List.of() : result.nodeNames();
        boolean error = httpStatus != 200 || !result.error().isEmpty() || !sent.containsAll(feasible);
        if (error) {
            return Optional.empty();
        }
        Map<String, String> statuses = new TreeMap<>();
        result.failedNodes().keySet().forEach(node -> statuses.put(node, "Unschedulable"));
        result.failedAndUnresolvableNodes()
                .keySet()
                .forEach(node -> statuses.put(node, "UnschedulableAndUnresolvable"));
        return Optional.of(new Filtered(List.copyOf(feasible), statuses));
    }

    /**
     * Returns the nodes that are still candidates of preemption. An answer that names another node than those sent, or a node
     * without victims, is an error, and then nothing is returned. An extender that may be ignored makes no error: its answer is
     * passed over in the first case, and loses the node in the second.
     */
    public static Optional<List<String>> candidates(List<String> sent, boolean ignorable, PreemptionResult result) {
        if (!sent.containsAll(result.nodes().keySet())) {
            return ignorable ? Optional.of(sent) : Optional.empty();
        }
        List<String> candidates = new ArrayList<>();
        for (Map.Entry<String, Victims> node : result.nodes().entrySet()) {
            boolean hasVictims = !node.getValue().pods().isEmpty();
            if (!hasVictims && !ignorable) {
                return Optional.empty();
            }
            if (hasVictims) {
                candidates.add(node.getKey());
            }
        }
        return Optional.of(candidates);
    }

    /** Returns what a score of an extender adds to a node's sum. */
    public static long contribution(long score, long weight) {
        return score * weight * (100 / 10);
    }
}
