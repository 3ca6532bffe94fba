package io.gpusched.examples.kubernetes.view;

import io.gpusched.model.LevelOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which node labels are levels of the topology. A domain is all nodes with one value of its label, whatever other labels say; so
 * where one rack has nodes in two zones, racks and zones take turns, as groups ask for them.
 */
final class TopologyLevels {
    private final Set<String> asked = new LinkedHashSet<>();
    private List<String> order = List.of();

    /** Whether it is known that each domain of each level of the order is one. */
    private boolean whole = true;

    /** The levels, from wide to narrow. */
    List<String> order() {
        return order;
    }

    /** Nodes have come, or stand elsewhere by now. */
    void nodesMoved() {
        whole = false;
    }

    /** Makes room for a label, below the others; returns whether the order changed. */
    boolean expect(String label) {
        if (!asked.add(label)) {
            return false;
        }
        order = new ArrayList<>(order);
        order.add(label);
        whole = false;
        return true;
    }

    /**
     * Makes a label a level whose domains are whole; returns whether the order changed.
     *
     * @param nodes the labels of all nodes
     */
    boolean require(String label, Supplier<Collection<Map<String, String>>> nodes) {
        if (whole && order.contains(label)) {
            return false;
        }
        asked.add(label);
        List<String> before = order;
        order = LevelOrder.of(nodes.get(), asked).orElse(List.of(label));
        whole = true;
        return !order.equals(before);
    }
}
