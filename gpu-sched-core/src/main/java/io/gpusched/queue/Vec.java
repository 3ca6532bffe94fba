package io.gpusched.queue;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A persistent vector of fixed length: {@link #with} copies one block and the list of blocks, O(64 + n/64), and leaves this one as it is.
 */
final class Vec<T extends @Nullable Object> {
    private static final int SHIFT = 6;
    private static final int BLOCK = 1 << SHIFT;
    private static final int MASK = BLOCK - 1;

    private final Object[][] blocks;

    private Vec(Object[][] blocks) {
        this.blocks = blocks;
    }

    static <T> Vec<T> of(List<T> elements) {
        Object[][] blocks = new Object[(elements.size() + MASK) >> SHIFT][];
        for (int block = 0; block < blocks.length; block++) {
            int from = block << SHIFT;
            blocks[block] = elements.subList(from, Math.min(elements.size(), from + BLOCK))
                    .toArray();
        }
        return new Vec<>(blocks);
    }

    /** Returns a vector of nothing; all parts share one block. */
    static <T> Vec<@Nullable T> ofNulls(int size) {
        Object[][] blocks = new Object[(size + MASK) >> SHIFT][];
        Arrays.fill(blocks, new Object[BLOCK]);
        return new Vec<>(blocks);
    }

    @SuppressWarnings("unchecked") // only elements of this type come in
    T get(int index) {
        return (T) blocks[index >> SHIFT][index & MASK];
    }

    Vec<T> with(int index, T element) {
        Object[][] copy = blocks.clone();
        copy[index >> SHIFT] = copy[index >> SHIFT].clone();
        copy[index >> SHIFT][index & MASK] = element;
        return new Vec<>(copy);
    }
}
