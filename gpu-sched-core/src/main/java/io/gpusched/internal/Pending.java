package io.gpusched.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A few leaves of a {@link DeferredTree} that its branches do not know of yet, by position. Immutable. */
final class Pending<T> {
    /** No more than this many wait. */
    static final int MOST = 32;

    private static final LeafChange<?>[] NONE = {};

    private final LeafChange<T>[] changes;

    /** Of each position the bit of its lowest six. */
    private final long positions;

    private Pending(LeafChange<T>[] changes, long positions) {
        this.changes = changes;
        this.positions = positions;
    }

    @SuppressWarnings("unchecked") // there are none
    static <T> Pending<T> none() {
        return new Pending<>((LeafChange<T>[]) NONE, 0);
    }

    int size() {
        return changes.length;
    }

    boolean isEmpty() {
        return changes.length == 0;
    }

    LeafChange<T> change(int at) {
        return changes[at];
    }

    /** The position of a change; beyond all others where there is no such change. */
    int position(int at) {
        return at < changes.length ? changes[at].position() : Integer.MAX_VALUE;
    }

    /** Which change is the first at or after a position; the number of all if there is none. */
    int from(int position) {
        int at = 0;
        while (at < changes.length && changes[at].position() < position) {
            at++;
        }
        return at;
    }

    /** The leaf that waits for this position, or null. */
    @Nullable
    T leaf(int position) {
        if ((positions >>> position & 1) == 0) {
            return null;
        }
        int at = from(position);
        return at < changes.length && changes[at].position() == position ? changes[at].leaf() : null;
    }

    /** Adds a change, or puts it in place of the one for the same position. */
    Pending<T> with(LeafChange<T> change) {
        int at = from(change.position());
        boolean replaces = at < changes.length && changes[at].position() == change.position();
        int rest = replaces ? at + 1 : at;
        LeafChange<T>[] more = Arrays.copyOf(changes, at + 1 + changes.length - rest);
        more[at] = change;
        System.arraycopy(changes, rest, more, at + 1, changes.length - rest);
        return new Pending<>(more, positions | 1L << change.position());
    }
}
