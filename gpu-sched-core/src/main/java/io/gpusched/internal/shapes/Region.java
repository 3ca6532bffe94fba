package io.gpusched.internal.shapes;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.ShapeCell;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Cells in which guaranteed jobs of a queue may run.
 *
 * @param gpus by node and index, the cell of each GPU
 */
public record Region(Map<String, Map<Integer, ShapeCell>> gpus) {
    /** Returns whether a node has GPUs in it. */
    public boolean touches(String node) {
        return gpus.containsKey(node);
    }

    /** Returns a snapshot on which pods find no room but here. */
    public Cluster only(Cluster cluster) {
        ClusterBatch batch = cluster.batch();
        for (NodeState node : cluster.nodes()) {
            Map<Integer, ShapeCell> own = gpus.get(node.name());
            if (own == null) {
                batch.cordon(node.name(), true);
                continue;
            }
            for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                if (!own.containsKey(gpu) && node.isHealthy(gpu)) {
                    batch.gpuHealth(node.name(), gpu, false);
                }
            }
        }
        return batch.build();
    }

    /** Returns the cells in which these hold GPUs. */
    public Set<ShapeCell> cells(Collection<Placement> placements) {
        Set<ShapeCell> cells = new LinkedHashSet<>();
        for (Placement placement : placements) {
            Map<Integer, ShapeCell> own = gpus.getOrDefault(placement.node(), Map.of());
            if (placement.holdsWholeNode()) {
                cells.addAll(own.values());
            }
            placement.gpus().stream().filter(own::containsKey).map(own::get).forEach(cells::add);
        }
        return cells;
    }
}
