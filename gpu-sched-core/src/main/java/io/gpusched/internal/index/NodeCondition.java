package io.gpusched.internal.index;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A condition on nodes: a slot meets it if it is in any of some bitmaps or in a list of few slots, or if it is in none of them. */
final class NodeCondition {
    private static final int[] NONE = {};

    private final Bitmap[] any;
    private final int[] few;
    private final boolean isMet;

    /**
     * @param few slots in any order; they are sorted
     * @param isMet whether slots in any of these sets meet the condition, else the others do
     */
    NodeCondition(Bitmap[] any, int[] few, boolean isMet) {
        this.any = any;
        this.few = few;
        this.isMet = isMet;
        Arrays.sort(few);
    }

    static NodeCondition in(Bitmap... any) {
        return new NodeCondition(any, NONE, true);
    }

    static NodeCondition notIn(Bitmap... any) {
        return new NodeCondition(any, NONE, false);
    }

    /** Returns the condition to be in any of these sets, or in none. */
    static NodeCondition of(Collection<Bitmap> bitmaps, Collection<ValueSlots> values, boolean isIn) {
        List<Bitmap> any = new ArrayList<>(bitmaps);
        IntArrayList few = new IntArrayList();
        for (ValueSlots value : values) {
            Bitmap many = value.many();
            if (many == null) {
                value.forEach(few::add);
            } else {
                any.add(many);
            }
        }
        return new NodeCondition(any.toArray(Bitmap[]::new), few.toIntArray(), isIn);
    }

    /** The slots of a word that meet it, as a mask. */
    long slots(int word) {
        long found = 0;
        for (Bitmap bitmap : any) {
            found |= bitmap.slots(word);
        }
        if (few.length > 0) {
            for (int i = firstFrom(word << 6); i < few.length && few[i] >>> 6 == word; i++) {
                found |= 1L << few[i];
            }
        }
        return isMet ? found : ~found;
    }

    /** The words of a block that may have slots that meet it, as a mask. */
    long words(int block) {
        if (!isMet) {
            return -1;
        }
        long found = 0;
        for (Bitmap bitmap : any) {
            found |= bitmap.words(block);
        }
        if (few.length > 0) {
            for (int i = firstFrom(block << 12); i < few.length && few[i] >>> 12 == block; i++) {
                found |= 1L << (few[i] >>> 6);
            }
        }
        return found;
    }

    private int firstFrom(int slot) {
        int at = Arrays.binarySearch(few, slot);
        return at < 0 ? -1 - at : at;
    }
}
