package io.gpusched.internal.index;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by class, taints aside: mode, capacity and GPU models. The classes that admit a pod are known at once; the nodes of these
 * classes are a bitmap, kept for the latest selections of classes and changed with the nodes. Not thread-safe.
 */
final class HardwareSets {
    /** This many selections of classes are kept. */
    private static final int MOST_SELECTIONS = 64;

    private final NodeSlots nodes;
    private final List<NodeClass> classes = new ArrayList<>();
    private final Object2IntOpenHashMap<NodeClass> numbers = new Object2IntOpenHashMap<>();

    /** By class: how many nodes it has. */
    private final IntArrayList counts = new IntArrayList();

    /** The classes that any node is of; null if that has to be found. */
    private @Nullable List<NodeClass> present;

    /** By slot: the number of the node's class. */
    private final int[] classOf;

    /** The nodes of some classes, by the numbers of these; the latest last. */
    private final Map<BitSet, Bitmap> selections = new LatestMap<>(MOST_SELECTIONS);

    HardwareSets(NodeSlots nodes) {
        this.nodes = nodes;
        this.classOf = new int[nodes.capacity()];
        numbers.defaultReturnValue(-1);
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    @SuppressWarnings("ReferenceEquality") // nodes share their class
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        if (before != null && after != null && before.nodeClass() == after.nodeClass()) {
            return;
        }
        present = null;
        if (before != null) {
            counts.set(classOf[slot], counts.getInt(classOf[slot]) - 1);
        }
        int number = after == null ? -1 : number(after.nodeClass().withoutTaints());
        if (number >= 0) {
            classOf[slot] = number;
            counts.set(number, counts.getInt(number) + 1);
        }
        selections.forEach((selected, bitmap) -> bitmap.set(slot, number >= 0 && selected.get(number)));
    }

    private int number(NodeClass nodeClass) {
        int number = numbers.getInt(nodeClass);
        if (number < 0) {
            number = classes.size();
            numbers.put(nodeClass, number);
            classes.add(nodeClass);
            counts.add(0);
        }
        return number;
    }

    /** Returns the classes of the nodes, without taints, in the order in which they were met first. */
    List<NodeClass> classes() {
        if (present == null) {
            List<NodeClass> some = new ArrayList<>(classes.size());
            for (int i = 0; i < classes.size(); i++) {
                if (counts.getInt(i) > 0) {
                    some.add(classes.get(i));
                }
            }
            present = List.copyOf(some);
        }
        return present;
    }

    /** Returns the nodes whose class admits any of these pods, or null if those are all. O(classes), and O(n) for classes not asked for lately. */
    @Nullable
    NodeCondition admitting(Collection<PodDemand> demands) {
        BitSet refusing = null;
        for (int i = 0; i < classes.size(); i++) {
            if (counts.getInt(i) > 0 && !admits(classes.get(i), demands)) {
                refusing = refusing == null ? new BitSet() : refusing;
                refusing.set(i);
            }
        }
        if (refusing == null) {
            return null;
        }
        BitSet selected = new BitSet();
        for (int i = 0; i < classes.size(); i++) {
            selected.set(i, counts.getInt(i) > 0 && !refusing.get(i));
        }
        return NodeCondition.in(selections.computeIfAbsent(selected, this::nodesOf));
    }

    private static boolean admits(NodeClass nodeClass, Collection<PodDemand> demands) {
        for (PodDemand demand : demands) {
            if (FitRule.ofMachine(demand, nodeClass) == null) {
                return true;
            }
        }
        return false;
    }

    private Bitmap nodesOf(BitSet selected) {
        Bitmap found = new Bitmap(nodes.capacity());
        for (int slot = nodes.taken().next(0); slot >= 0; slot = nodes.taken().next(slot + 1)) {
            if (selected.get(classOf[slot])) {
                found.add(slot);
            }
        }
        return found;
    }
}
