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
        for (T element : after) {
            int at = indexOf(before, next, element);
            if (at < 0) {
                come.accept(element);
            } else {
                for (; next < at; next++) {
                    gone.accept(before.get(next));
                }
                next++;
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
}
