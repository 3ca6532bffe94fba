package io.gpusched.simulator.report;

import io.gpusched.model.Cluster;
import io.gpusched.pages.MapRow;
import java.util.List;

/**
 * What the page shows of the cluster under one policy.
 *
 * @param seed the seed whose cluster is on the map
 * @param map the cluster under that seed, by class of nodes
 * @param waste its idle compute by cause, mean over all seeds
 */
public record ClusterPart(long seed, List<MapRow> map, Waste waste) {
    /** Copies the list. */
    public ClusterPart {
        map = List.copyOf(map);
    }

    /**
     * Returns the part for these clusters.
     *
     * @param clusters the cluster under each seed, at least one; the first is on the map
     */
    static ClusterPart of(long seed, List<Cluster> clusters, WasteMeter meter) {
        return new ClusterPart(
                seed,
                MapRow.fullestFirst(
                        clusters.get(0), node -> meter.mainCause(node).key()),
                Waste.mean(clusters.stream().map(meter::of).toList()));
    }
}
