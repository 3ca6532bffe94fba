package io.gpusched.manifests.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which node labels are levels of the topology of the cluster. A domain is all nodes with one value of its label, whatever other labels
 * say; so of labels that do not nest, such as racks in two zones and zones in two racks, only some can be levels of one cluster.
 *
 * <p>What matters of a node is its place: its values of the labels that groups asked for. Nodes are counted by place, and the
 * levels are put in order again only when a place is new or has lost its last node. A node that comes, goes or moves costs
 * O(its labels), a new label O(nodes).
 */
final class TopologyLevels {
    private final Map<String, Map<String, String>> labelsOf = new HashMap<>();
    private final Map<String, Integer> nodesByLabel = new HashMap<>();
    private final Set<String> asked = new TreeSet<>();
    private final Map<Map<String, String>, Integer> nodesByPlace = new HashMap<>();
    private List<String> order = List.of();
    private boolean inOrder = true;

    /** The levels, from wide to narrow. */
    List<String> order() {
        return order;
    }

    /** A node has come, or has other labels by now. */
    void put(String node, Map<String, String> labels) {
        Map<String, String> before = labelsOf.put(node, labels);
        if (!labels.equals(before)) {
            count(before, -1);
            count(labels, 1);
        }
    }

    /** A node has gone. */
    void remove(String node) {
        count(labelsOf.remove(node), -1);
    }

    private void count(@Nullable Map<String, String> labels, int difference) {
        if (labels != null) {
            labels.keySet().forEach(label -> add(nodesByLabel, label, difference));
            inOrder &= !add(nodesByPlace, place(labels), difference);
        }
    }

    /** Whether a key came or went by that. */
    private static <K> boolean add(Map<K, Integer> counts, K key, int difference) {
        int count = counts.merge(key, difference, Integer::sum);
        if (count == 0) {
            counts.remove(key);
        }
        return count == 0 || count == difference;
    }

    private Map<String, String> place(Map<String, String> labels) {
        Map<String, String> place = new TreeMap<>();
        for (String label : asked) {
            String value = labels.getOrDefault(label, "");
            if (!value.isBlank()) {
                place.put(label, value);
            }
        }
        return place;
    }

    /** Whether any node has a label. */
    boolean isLabelled(String label) {
        return nodesByLabel.containsKey(label);
    }

    /** Groups will ask for domains of a label. Any tenant may name any; one that no node has costs nothing, and is no level. */
    void expect(String label) {
        if (isLabelled(label) && asked.add(label)) {
            nodesByPlace.clear();
            labelsOf.values().forEach(labels -> add(nodesByPlace, place(labels), 1));
            inOrder = false;
        }
    }

    /** Puts the levels in order for the nodes as they are; returns whether they stand otherwise than before. */
    boolean arrange() {
        if (inOrder) {
            return false;
        }
        List<String> before = order;
        order = LevelOrder.of(nodesByPlace.keySet(), asked).orElseGet(this::nesting);
        inOrder = true;
        return !order.equals(before);
    }

    /** As many labels as nest with those that come before them by name. */
    private List<String> nesting() {
        List<String> kept = new ArrayList<>();
        List<String> nested = List.of();
        Collection<Map<String, String>> places = nodesByPlace.keySet();
        for (String label : asked) {
            kept.add(label);
            List<String> known = nested;
            nested = LevelOrder.of(places, kept).orElse(known);
            kept = new ArrayList<>(nested);
        }
        return nested;
    }
}
