package io.gpusched.manifests.view;

import io.fabric8.kubernetes.api.model.Node;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.manifests.dialect.PairScores;
import io.gpusched.manifests.objects.ManifestReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as the API server describes them, each with its translation. It says which of them must be renewed in the
 * snapshot, and which may have room by now. Not thread-safe.
 */
final class NodeTable {
    private final DialectSet dialects;
    private final UnaryOperator<NodeManifest> extension;
    private final Map<String, NodeEntry> entries = new LinkedHashMap<>();
    private final Map<String, Integer> nodesByLabel = new HashMap<>();
    private final Set<String> stale = new LinkedHashSet<>();
    private final Set<String> touched = new HashSet<>();
    private List<Trouble> troubles = new ArrayList<>();
    private final PairScores scores = new PairScores();

    /**
     * Creates an empty table.
     *
     * @param extension adds to a node what other objects say of it
     */
    NodeTable(DialectSet dialects, UnaryOperator<NodeManifest> extension) {
        this.dialects = dialects;
        this.extension = extension;
    }

    /** All that is known of a node of this name, which need not be there. */
    NodeEntry entry(String name) {
        return entries.computeIfAbsent(name, any -> new NodeEntry());
    }

    /** Forgets a node that is not there and runs no pod. */
    void forget(String name) {
        entries.remove(name);
    }

    /** Takes note of a node, new or changed. What cannot be translated takes no pods. */
    void put(Node object) {
        String name = object.getMetadata().getName();
        NodeEntry entry = entry(name);
        try {
            NodeManifest described = ManifestReader.reportedNode(object);
            if (described.equals(entry.described) && entry.translation != null) {
                return;
            }
            entry.described = described;
        } catch (RuntimeException e) {
            entry.described = null;
            isUnreadable(name, entry, e);
            return;
        }
        translate(name, entry);
    }

    private void translate(String name, NodeEntry entry) {
        try {
            NodeManifest manifest = extension.apply(Objects.requireNonNull(entry.described));
            NodeTranslation translation = NodeTranslation.of(manifest, dialects);
            if (!translation.equals(entry.translation)) {
                translated(name, entry, translation);
                touched.add(name);
            }
        } catch (RuntimeException e) {
            isUnreadable(name, entry, e);
        }
    }

    private void translated(String name, NodeEntry entry, @Nullable NodeTranslation translation) {
        scores.put(name, translation == null ? Map.of() : translation.pairScores());
        countLabels(entry.translation, -1);
        countLabels(translation, 1);
        entry.translation = translation;
        stale.add(name);
    }

    private void countLabels(@Nullable NodeTranslation translation, int difference) {
        if (translation != null) {
            for (String label : translation.manifest().labels().keySet()) {
                nodesByLabel.merge(
                        label, difference, (before, change) -> before + change == 0 ? null : before + change);
            }
        }
    }

    /** A dialect with what it has to know of all nodes together; the same object until that changes. */
    Dialect informed(Dialect dialect) {
        return scores.informed(dialect);
    }

    private void isUnreadable(String name, NodeEntry entry, RuntimeException e) {
        translated(name, entry, null);
        troubles.add(new Trouble("Node", "", name, "", "NodeUnreadable", e.getMessage() + "; it takes no pods"));
    }

    /** Takes note that other objects than a node itself say something new of it. */
    void extend(String name) {
        NodeEntry entry = entries.get(name);
        if (entry != null && entry.described != null) {
            translate(name, entry);
        }
    }

    /** As {@link #extend}, of all nodes. */
    void extendAll() {
        List.copyOf(entries.keySet()).forEach(this::extend);
    }

    /** Takes note that a node is gone. */
    void remove(String name) {
        NodeEntry entry = entry(name);
        entry.described = null;
        translated(name, entry, null);
    }

    /** A node as it is described, if it is there and can be translated. */
    Optional<NodeManifest> manifest(String name) {
        NodeEntry entry = entries.get(name);
        return entry == null || entry.translation == null
                ? Optional.empty()
                : Optional.of(entry.translation.manifest());
    }

    /** Whether any node has a label. */
    boolean isLabelled(String label) {
        return nodesByLabel.containsKey(label);
    }

    /** The node in the snapshot is not as it is described any more. */
    void isStale(String name) {
        stale.add(name);
    }

    /** Whether the node is about to be renewed in the snapshot. */
    boolean willBeRenewed(String name) {
        return stale.contains(name);
    }

    /** The nodes to be made again, since this was asked last. */
    Collection<String> takeStale() {
        List<String> names = List.copyOf(stale);
        stale.clear();
        return names;
    }

    /** The node may have room that it had not. */
    void isTouched(String name) {
        touched.add(name);
    }

    /** The nodes that changed or lost a pod, since this was asked last. */
    Collection<String> takeTouched() {
        Set<String> names = new HashSet<>(touched);
        touched.clear();
        return names;
    }

    void add(Collection<Trouble> found) {
        troubles.addAll(found);
    }

    /** What was found wrong, since this was asked last. */
    List<Trouble> takeTroubles() {
        List<Trouble> found = troubles;
        troubles = new ArrayList<>();
        return found;
    }
}
