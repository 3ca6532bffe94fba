package io.gpusched.internal.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent array that grows as needed and may have holes. Reading and setting an element cost O(log n) and copy one path;
 * of up to 32 elements, one small array. Immutable and thread-safe.
 */
final class PersistentVector<T> {
    private static final int BITS = 5;
    private static final int FAN = 1 << BITS;
    private static final @Nullable Object[] NONE = {};

    /** How many bits of a position the root consumes after those below it: 0 if it holds elements. */
    private final int shift;

    /** Elements, or arrays of them; shorter than {@link #FAN} where the rest is null. */
    private final @Nullable Object[] root;

    private PersistentVector(int shift, @Nullable Object[] root) {
        this.shift = shift;
        this.root = root;
    }

    static <T> PersistentVector<T> empty() {
        return new PersistentVector<>(0, NONE);
    }

    /** Returns a vector of these elements, each at its index; O(n). */
    static <T> PersistentVector<T> of(T[] elements) {
        int shift = 0;
        @Nullable Object[] level = Arrays.copyOf(elements, elements.length, Object[].class);
        for (; level.length > FAN; shift += BITS) {
            @Nullable Object[] above = new Object[(level.length + FAN - 1) / FAN];
            for (int i = 0; i < above.length; i++) {
                above[i] = Arrays.copyOfRange(level, i * FAN, Math.min(level.length, (i + 1) * FAN));
            }
            level = above;
        }
        return new PersistentVector<>(shift, level);
    }

    /** Returns the element at this position, or null. */
    @SuppressWarnings("unchecked") // the lowest arrays hold nothing but elements
    @Nullable
    T get(int position) {
        if (position >>> shift >= FAN) {
            return null;
        }
        Object part = root;
        for (int level = shift; level >= 0 && part != null; level -= BITS) {
            @Nullable Object[] parts = (@Nullable Object[]) part;
            int at = position >>> level & FAN - 1;
            part = at < parts.length ? parts[at] : null;
        }
        return (T) part;
    }

    /** Returns this vector with an element, or nothing, at this position. */
    PersistentVector<T> with(int position, @Nullable T element) {
        int level = shift;
        @Nullable Object[] top = root;
        while (position >>> level >= FAN) {
            top = new Object[] {top};
            level += BITS;
        }
        return new PersistentVector<>(level, with(top, level, position, element));
    }

    private static @Nullable Object[] with(
            @Nullable Object[] parts, int level, int position, @Nullable Object element) {
        int at = position >>> level & FAN - 1;
        @Nullable Object[] changed = new Object[Math.max(parts.length, at + 1)];
        System.arraycopy(parts, 0, changed, 0, parts.length);
        if (level == 0) {
            changed[at] = element;
        } else {
            changed[at] = with(parts(changed[at]), level - BITS, position, element);
        }
        return changed;
    }

    /** Returns all elements in order of position; not to be written to. */
    List<T> elements() {
        T only = shift == 0 && root.length == 1 ? get(0) : null;
        if (only != null) {
            return List.of(only);
        }
        List<T> all = new ArrayList<>();
        forEach(all::add);
        return all;
    }

    /** Calls back with every element in order of position. */
    void forEach(Consumer<? super T> action) {
        forEach(root, shift, action);
    }

    @SuppressWarnings("unchecked") // the lowest arrays hold nothing but elements
    private static <T> void forEach(@Nullable Object[] parts, int level, Consumer<? super T> action) {
        for (Object part : parts) {
            if (part != null && level == 0) {
                action.accept((T) part);
            } else if (part != null) {
                forEach((@Nullable Object[]) part, level - BITS, action);
            }
        }
    }

    /** What is told of a position at which two vectors differ. */
    interface Change<T> {
        void accept(@Nullable T mine, @Nullable T theirs);
    }

    /** Calls back with every position at which the elements are not the same object; skips what both share. */
    void forEachChange(PersistentVector<T> other, Change<T> change) {
        int level = Math.max(shift, other.shift);
        changes(lifted(level), other.lifted(level), level, change);
    }

    private @Nullable Object[] lifted(int level) {
        @Nullable Object[] top = root;
        for (int at = shift; at < level; at += BITS) {
            top = new Object[] {top};
        }
        return top;
    }

    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // what two versions share is the same object
    private static <T> void changes(@Nullable Object[] mine, @Nullable Object[] theirs, int level, Change<T> change) {
        for (int at = 0; at < Math.max(mine.length, theirs.length); at++) {
            Object here = at < mine.length ? mine[at] : null;
            Object there = at < theirs.length ? theirs[at] : null;
            if (here == there) {
                continue;
            }
            if (level == 0) {
                change.accept((T) here, (T) there);
            } else {
                changes(parts(here), parts(there), level - BITS, change);
            }
        }
    }

    private static @Nullable Object[] parts(@Nullable Object array) {
        return array == null ? NONE : (@Nullable Object[]) array;
    }
}
