package io.gpusched.queue;

import java.util.List;
import java.util.function.Consumer;

/** Compares two lists that hold mostly the same objects in the same order, as from one plan to the next. */
final class SameObjects {
    /** How many elements in a row may have gone; after more, the rest counts as other objects. */
    private static final int MOST_GONE = 512;

    private SameObjects() {}

    /**
     * Calls back with the elements of one list that are not at their place in the other, and with the elements that are there instead. What has
     * moved is told as gone and as come.
     */
    static <T> void forEachOther(List<T> before, List<T> after, Consumer<T> gone, Consumer<T> come) {
        int next = 0;
        int i = 0;
        while (i < after.size()) {
            int at = indexOf(before, next, after.get(i));
            if (at < 0) {
                come.accept(after.get(i++));
            } else {
                for (; next < at; next++) {
                    gone.accept(before.get(next));
                }
                int same = length(before, next, after, i);
                next += same;
                i += same;
            }
        }
        for (; next < before.size(); next++) {
            gone.accept(before.get(next));
        }
    }

    /** Returns where an object is in a list, from an index on and not far after it; -1 if it is not. */
    @SuppressWarnings("ReferenceEquality") // the very object
    static <T> int indexOf(List<T> list, int from, T element) {
        int end = Math.min(list.size(), from + MOST_GONE);
        for (int i = from; i < end; i++) {
            if (list.get(i) == element) {
                return i;
            }
        }
        return -1;
    }

    /** Returns how many objects two lists have in common, one after the other, from these indexes on. */
    @SuppressWarnings("ReferenceEquality") // the very objects
    static <T> int length(List<T> one, int from, List<T> other, int otherFrom) {
        int most = Math.min(one.size() - from, other.size() - otherFrom);
        int length = 0;
        while (length < most && one.get(from + length) == other.get(otherFrom + length)) {
            length++;
        }
        return length;
    }
}
