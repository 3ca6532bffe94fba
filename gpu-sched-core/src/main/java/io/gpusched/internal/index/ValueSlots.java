package io.gpusched.internal.index;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The slots of the nodes that have one value of a label, or one list of taints: a list as long as they are few, then a bitmap. Not thread-safe. */
final class ValueSlots {
    /** This many slots are kept as a list. */
    static final int MOST_LISTED = 64;

    private int[] few = new int[2];
    private int size;
    private @Nullable Bitmap many;

    int size() {
        return size;
    }

    /** The slots as a bitmap; null as long as they are few. */
    @Nullable
    Bitmap many() {
        return many;
    }

    void forEach(IntConsumer action) {
        if (many != null) {
            many.forEach(action);
            return;
        }
        for (int i = 0; i < size; i++) {
            action.accept(few[i]);
        }
    }

    void add(int slot, int capacity) {
        size++;
        if (many == null && size > MOST_LISTED) {
            Bitmap bitmap = new Bitmap(capacity);
            for (int other : few) {
                bitmap.add(other);
            }
            many = bitmap;
        }
        if (many != null) {
            many.add(slot);
            return;
        }
        if (size > few.length) {
            few = Arrays.copyOf(few, Math.min(MOST_LISTED, 4 * few.length));
        }
        few[size - 1] = slot;
    }

    void remove(int slot) {
        size--;
        if (many != null) {
            many.remove(slot);
            return;
        }
        for (int i = 0; i < size; i++) {
            if (few[i] == slot) {
                few[i] = few[size];
                return;
            }
        }
    }
}
