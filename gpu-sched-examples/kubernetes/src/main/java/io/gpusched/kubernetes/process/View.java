package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.model.Cluster;
import java.util.List;
import java.util.Map;

/**
 * What a scheduler saw when it was last asked to look: a value, for other threads to read.
 *
 * @param cluster the cluster, with what is assumed
 * @param setAside GPUs that a pod may hold, though no annotation that can be read says so
 * @param pendingByReason how many pods wait, by the reason of their last attempt
 * @param ready how many pods and groups are to be tried now
 * @param delayed how many wait for their delay
 * @param parked how many wait for a change
 * @param binding how many pods are about to be bound
 * @param isListed whether all that the API server held at the start is in it
 */
public record View(
        Cluster cluster,
        List<SetAside> setAside,
        Map<PendingReason, Integer> pendingByReason,
        int ready,
        int delayed,
        int parked,
        int binding,
        boolean isListed) {
    /** Nothing. */
    public static final View NOTHING = new View(Cluster.of(List.of()), List.of(), Map.of(), 0, 0, 0, 0, false);

    /** Copies the lists and the map. */
    public View {
        setAside = List.copyOf(setAside);
        pendingByReason = Map.copyOf(pendingByReason);
    }
}
