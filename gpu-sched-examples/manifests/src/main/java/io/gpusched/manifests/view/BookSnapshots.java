package io.gpusched.manifests.view;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Map;

/**
 * The snapshot that a book has written so far. It knows nodes and placements alone, not what the API server says. Each change costs
 * O(log n). Not thread-safe; the snapshots are.
 */
final class BookSnapshots {
    private ClusterBatch batch = Cluster.of(List.of()).batch();

    /** Returns the latest snapshot. */
    Cluster cluster() {
        return batch.build();
    }

    /** Gives a namespace its labels. */
    void label(String namespace, Map<String, String> labels) {
        Cluster cluster = cluster();
        if (!labels.equals(cluster.namespaces().getOrDefault(namespace, Map.of()))) {
            batch = cluster.withNamespace(namespace, labels).batch();
        }
    }

    /**
     * Adds a placement.
     *
     * @throws PlacementConflictException if it does not fit
     */
    void place(Placement placement) {
        batch.place(placement);
    }

    /** Takes the placement of a pod out. */
    void release(PodId pod) {
        batch.release(pod);
    }

    /** Takes all placements off a node, if it is there. */
    void clear(String node) {
        cluster().node(node).ifPresent(old -> old.placements().forEach(placement -> release(placement.pod())));
    }

    /** Removes a node on which no pod is placed, if it is there. */
    void remove(String node) {
        if (cluster().node(node).isPresent()) {
            batch.removeNode(node);
        }
    }

    /** Adds a node with these pods, or puts it in the place of one of its name on which no pod is placed. */
    void put(NodeFill fill, List<Placement> placements) {
        Node open = fill.open();
        if (cluster().node(open.name()).isPresent()) {
            batch.replaceNode(open);
        } else {
            batch.addNode(open);
        }
        placements.forEach(this::place);
        batch.replaceNode(fill.shut());
    }
}
