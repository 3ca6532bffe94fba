package io.gpusched.pages;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import java.util.List;

/**
 * What the live page shows: a cluster at one moment, and the waiting pods.
 *
 * @param title its heading
 * @param state what the process does: {@code leading}, {@code waiting} for its turn, {@code reading} the cluster or
 *     {@code failed}
 * @param nodes nodes
 * @param pods pods that have a node
 * @param gpus GPUs
 * @param idleGpus GPUs that no pod holds a part of
 * @param usedPercent GPU compute that is held, in percent
 * @param ready pods and groups that are to be tried now
 * @param delayed pods and groups that wait for their delay
 * @param parked pods and groups that wait for a change
 * @param binding pods that are about to be bound
 * @param causes what keeps GPUs from being given out that no pod is known to hold, a sentence each
 * @param map the nodes by kind
 * @param pending pods and groups that found no place
 * @param pendingMore how many more there are than are listed
 */
public record LiveReport(
        String title,
        String state,
        int nodes,
        int pods,
        long gpus,
        long idleGpus,
        double usedPercent,
        int ready,
        int delayed,
        int parked,
        int binding,
        List<String> causes,
        List<MapRow> map,
        List<Pending> pending,
        int pendingMore) {
    /** Copies the lists. */
    public LiveReport {
        causes = List.copyOf(causes);
        map = List.copyOf(map);
        pending = List.copyOf(pending);
    }

    /**
     * A pod or a group that found no place.
     *
     * @param name its namespace and name
     * @param pods how many of its pods wait
     * @param group whether it is a group
     * @param reason the kind of reason, such as {@code no room}
     * @param message the reason in words
     */
    public record Pending(String name, int pods, boolean group, String reason, String message) {}

    /** How many pods and groups wait for what; {@code binding} counts pods. */
    public record Queue(int ready, int delayed, int parked, int binding) {}

    /**
     * Returns the report of a cluster, O(n).
     *
     * @param causes what keeps GPUs from being given out that no pod is known to hold
     * @param most so many pods and groups are listed
     */
    public static LiveReport of(
            String title,
            String state,
            Cluster cluster,
            List<String> causes,
            Queue queue,
            List<Pending> pending,
            int most) {
        ClusterTotals totals = cluster.totals();
        long compute = totals.gpuComputeMillis();
        return new LiveReport(
                title,
                state,
                totals.nodes(),
                totals.pods(),
                totals.gpus(),
                totals.idleGpus(),
                compute == 0 ? 0 : Math.round(1_000.0 * totals.usedGpuComputeMillis() / compute) / 10.0,
                queue.ready(),
                queue.delayed(),
                queue.parked(),
                queue.binding(),
                causes,
                MapRow.inOrder(cluster),
                pending.subList(0, Math.min(most, pending.size())),
                Math.max(0, pending.size() - most));
    }
}
