package io.gpusched.manifests.view;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cluster with one node label as the only level of its topology, for a label that does not nest with the levels that the
 * cluster has. It is kept, and brought up to date with the nodes that changed since it was asked for last: O(changed · log n).
 * Not thread-safe.
 */
final class LevelView {
    /** A node that differs; null where it is not there. */
    private record Changed(
            @Nullable NodeState before, @Nullable NodeState after) {}

    private final String label;
    private Cluster followed = Cluster.of(List.of());
    private Cluster view = followed;

    LevelView(String label) {
        this.label = label;
    }

    /** Returns a snapshot of the cluster with the level. */
    Cluster of(Cluster cluster) {
        List<Changed> changes = new ArrayList<>();
        cluster.forEachChange(followed, (before, after) -> changes.add(new Changed(before, after)));
        ClusterBatch batch = withNamespacesOf(cluster).batch();
        // A pod may have moved, so all that is gone goes first.
        for (Changed change : changes) {
            if (change.before() != null) {
                change.before().placements().forEach(placement -> batch.release(placement.pod()));
            }
        }
        changes.forEach(change -> renew(change, batch));
        followed = cluster;
        view = batch.build();
        return view;
    }

    private Cluster withNamespacesOf(Cluster cluster) {
        Map<String, Map<String, String>> before = view.namespaces();
        Map<String, Map<String, String>> after = cluster.namespaces();
        if (after.equals(before)) {
            return view;
        }
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        Cluster labelled = view;
        for (String name : names) {
            Map<String, String> labels = after.getOrDefault(name, Map.of());
            if (!labels.equals(before.getOrDefault(name, Map.of()))) {
                labelled = labelled.withNamespace(name, labels);
            }
        }
        return labelled;
    }

    private void renew(Changed change, ClusterBatch batch) {
        NodeState after = change.after();
        if (after == null) {
            batch.removeNode(Objects.requireNonNull(change.before()).name());
            return;
        }
        List<Placement> placements = after.placements();
        Node open = NodeFill.open(after.node(), placements.size());
        if (change.before() == null) {
            batch.addNode(at(open));
        } else {
            batch.replaceNode(at(open));
        }
        placements.forEach(batch::place);
        if (!open.equals(after.node())) {
            batch.replaceNode(at(after.node()));
        }
    }

    private Node at(Node node) {
        String name = node.labels().getOrDefault(label, "");
        List<Topology.Domain> path = name.isBlank() ? List.of() : List.of(new Topology.Domain(label, name));
        return node.toBuilder().topology(new Topology(path)).build();
    }
}
