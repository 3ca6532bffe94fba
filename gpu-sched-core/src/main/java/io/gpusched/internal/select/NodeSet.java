package io.gpusched.internal.select;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, by slot, that are alike in one thing, such as a value of a label; often very many, often a single one: a list while
 * that is smaller than a bitmap. Not thread-safe.
 */
final class NodeSet {
    /** A list of up to a slot in so many takes no more memory than a bitmap of all slots, a bit for each. */
    private static final int BITS = Integer.SIZE;

    private static final int LEAST_MANY = 64;

    private final int code;

    /** In no particular order. */
    private int[] few = new int[1];

    private int size;

    /** All of them, once they are many. */
    private @Nullable SlotSet many;

    /**
     * @param code what {@link LabelColumn} knows the value by
     */
    NodeSet(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    int size() {
        return size;
    }

    /** Returns them as a bitmap if they are many, else null. */
    @Nullable
    SlotSet many() {
        return many;
    }

    /** Adds a node that is not here. */
    void add(int slot) {
        SlotSet set = many;
        if (set == null && size >= LEAST_MANY && size >= slot / BITS) {
            set = new SlotSet();
            addTo(set);
            many = set;
            few = new int[0];
        }
        if (set != null) {
            set.add(slot);
        } else {
            few = size == few.length ? Arrays.copyOf(few, 2 * size) : few;
            few[size] = slot;
        }
        size++;
    }

    /** Removes a node that is here; O(nodes) where they are few. */
    void remove(int slot) {
        SlotSet set = many;
        if (set != null) {
            set.remove(slot);
            size--;
            return;
        }
        for (int at = 0; at < size; at++) {
            if (few[at] == slot) {
                few[at] = few[--size];
                return;
            }
        }
        throw new IllegalStateException("slot " + slot + " is not where it is looked for");
    }

    /** Adds them to a bitmap. */
    void addTo(SlotSet set) {
        if (many != null) {
            set.addAll(many);
            return;
        }
        set.addAll(few, size);
    }

    void forEach(IntConsumer action) {
        SlotSet set = many;
        if (set == null) {
            for (int at = 0; at < size; at++) {
                action.accept(few[at]);
            }
            return;
        }
        for (int slot = set.next(0); slot >= 0; slot = set.next(slot + 1)) {
            action.accept(slot);
        }
    }
}
