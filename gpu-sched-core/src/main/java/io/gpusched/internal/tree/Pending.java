package io.gpusched.internal.tree;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Leaves that are to take the place of others, by position: the few that wait beside the tree in a {@link DeferredTree}, or
 * any number on their way into it. Immutable.
 */
public final class Pending<T> {
    /** No more than this many wait beside a tree. */
    public static final int MOST = 32;

    private static final LeafUpdate<?>[] NONE = {};

    private final LeafUpdate<T>[] changes;

    /** Of each position the bit of its lowest six. */
    private final long positions;

    /** The lanes that any of them is in, or another was whose place it took. */
    private final long lanes0;

    private final long lanes1;
    private final long lanes2;
    private final long lanes3;

    private Pending(LeafUpdate<T>[] changes) {
        this.changes = changes;
        long all = 0;
        long[] lanes = new long[LaneSummary.WORDS];
        for (LeafUpdate<T> change : changes) {
            all |= 1L << (int) change.key();
            for (int word = 0; word < lanes.length; word++) {
                lanes[word] |= change.lanes(word);
            }
        }
        this.positions = all;
        this.lanes0 = lanes[0];
        this.lanes1 = lanes[1];
        this.lanes2 = lanes[2];
        this.lanes3 = lanes[3];
    }

    private Pending(LeafUpdate<T>[] changes, Pending<T> others, LeafUpdate<T> added) {
        this.changes = changes;
        this.positions = others.positions | 1L << added.key();
        this.lanes0 = others.lanes0 | added.lanes(0);
        this.lanes1 = others.lanes1 | added.lanes(1);
        this.lanes2 = others.lanes2 | added.lanes(2);
        this.lanes3 = others.lanes3 | added.lanes(3);
    }

    @SuppressWarnings("unchecked") // there are none
    public static <T> Pending<T> none() {
        return new Pending<>((LeafUpdate<T>[]) NONE);
    }

    /** Returns changes to some positions, of which each has a new leaf. */
    @SuppressWarnings("unchecked") // made here
    public static <T> Pending<T> of(SummaryFormat<T> format, Int2ObjectMap<T> leaves) {
        int[] order = leaves.keySet().toIntArray();
        Arrays.sort(order);
        LeafUpdate<T>[] changes = (LeafUpdate<T>[]) new LeafUpdate<?>[order.length];
        for (int i = 0; i < order.length; i++) {
            changes[i] = LeafUpdate.put(format, order[i], leaves.get(order[i]));
        }
        return new Pending<>(changes);
    }

    public int size() {
        return changes.length;
    }

    public boolean isEmpty() {
        return changes.length == 0;
    }

    LeafUpdate<T> change(int at) {
        return changes[at];
    }

    /** The position of a change; beyond all others where there is no such change. */
    public int position(int at) {
        return at < changes.length ? (int) changes[at].key() : Integer.MAX_VALUE;
    }

    /** 64 lanes; none that a change is in is missing. */
    public long lanes(int word) {
        return switch (word) {
            case 0 -> lanes0;
            case 1 -> lanes1;
            case 2 -> lanes2;
            default -> lanes3;
        };
    }

    /** Which change is the first at or after a position; the number of all if there is none. */
    public int from(int position) {
        int at = 0;
        while (at < changes.length && (int) changes[at].key() < position) {
            at++;
        }
        return at;
    }

    /** The leaf that waits for this position, or null. */
    @Nullable
    public T leaf(int position) {
        if ((positions >>> position & 1) == 0) {
            return null;
        }
        int at = from(position);
        return at < changes.length && (int) changes[at].key() == position ? changes[at].leaf() : null;
    }

    /** Adds a change, or puts it in place of the one for the same position. */
    Pending<T> with(LeafUpdate<T> change) {
        int at = from((int) change.key());
        boolean replaces = at < changes.length && (int) changes[at].key() == (int) change.key();
        int rest = replaces ? at + 1 : at;
        LeafUpdate<T>[] more = Arrays.copyOf(changes, at + 1 + changes.length - rest);
        more[at] = change;
        System.arraycopy(changes, rest, more, at + 1, changes.length - rest);
        return new Pending<>(more, this, change);
    }

    /** Adds later changes; those for the same positions take their place. */
    public Pending<T> with(Pending<T> later) {
        LeafUpdate<T>[] all = Arrays.copyOf(changes, changes.length + later.changes.length);
        int size = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < changes.length || theirs < later.changes.length) {
            int here = position(mine);
            int there = later.position(theirs);
            all[size++] = there <= here ? later.changes[theirs] : changes[mine];
            mine += here <= there ? 1 : 0;
            theirs += there <= here ? 1 : 0;
        }
        return new Pending<>(Arrays.copyOf(all, size));
    }
}
