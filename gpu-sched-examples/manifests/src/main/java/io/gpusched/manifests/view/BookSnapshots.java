package io.gpusched.manifests.view;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The snapshots that a book has written so far: the latest, and those with another label as a level of the topology. It knows nodes
 * and placements alone, not what the API server says. Each change costs O(log n). Not thread-safe; the snapshots are.
 */
final class BookSnapshots {
    /** Each is as large as the cluster, and any tenant may ask for another. */
    private static final int MOST_VIEWS = 8;

    private final Map<String, LevelView> views = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LevelView> eldest) {
            return size() > MOST_VIEWS;
        }
    };
    private ClusterBatch batch = Cluster.of(List.of()).batch();

    /** Returns the latest snapshot. */
    Cluster cluster() {
        return batch.build();
    }

    /** Gives a namespace its labels; returns whether they are others than before. */
    boolean label(String namespace, Map<String, String> labels) {
        Cluster cluster = cluster();
        boolean others = !labels.equals(cluster.namespaces().getOrDefault(namespace, Map.of()));
        if (others) {
            batch = cluster.withNamespace(namespace, labels).batch();
        }
        return others;
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

    /** Removes a node on which nobody is placed, if it is there. */
    void remove(String node) {
        if (cluster().node(node).isPresent()) {
            batch.removeNode(node);
        }
    }

    /** Adds a node with these who run there, or puts it in the place of one of its name on which nobody is placed. */
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

    /**
     * Returns a snapshot with a label as a level of its topology, which follows the one before by what changed.
     *
     * @param cluster the latest
     * @param view the label; empty if it is a level of the latest already
     */
    Cluster of(Cluster cluster, String label, String view) {
        if (view.isEmpty()) {
            views.remove(label);
            return cluster;
        }
        return views.computeIfAbsent(view, LevelView::new).of(cluster);
    }
}
