package io.gpusched.internal.rank;

import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntIterators;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The slots of nodes that score equally. Most groups have one node, a few have very many. */
final class NodeGroup {
    /** Stands for the first slot of a group without nodes; behind all slots. */
    static final int NONE = Integer.MAX_VALUE;

    private int first = NONE;

    /** The slots behind the first; null if there never were any. */
    private @Nullable IntRBTreeSet others;

    /** The position in the log of {@link NodeGroups} where it stands last, -1 if nowhere. */
    private long logged = -1;

    /** Marks the group as visited by a clean-up. */
    private long visited;

    /** Adds a slot and returns whether it is the first by now. */
    boolean add(int slot) {
        boolean leads = slot < first;
        int behind = leads ? first : slot;
        if (behind != NONE) {
            IntRBTreeSet rest = others;
            if (rest == null) {
                rest = new IntRBTreeSet();
                others = rest;
            }
            rest.add(behind);
        }
        first = Math.min(first, slot);
        return leads;
    }

    /** Removes one of its slots. */
    void remove(int slot) {
        IntRBTreeSet rest = others;
        if (slot != first) {
            Objects.requireNonNull(rest, "others").remove(slot);
        } else if (rest == null || rest.isEmpty()) {
            first = NONE;
        } else {
            first = rest.firstInt();
            rest.remove(first);
        }
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /** Returns the first slot, {@link #NONE} if there is none. */
    int first() {
        return first;
    }

    /** Returns the slots behind the first, ascending. */
    IntIterator behindFirst() {
        return others == null ? IntIterators.EMPTY_ITERATOR : others.iterator();
    }

    long logged() {
        return logged;
    }

    void setLogged(long position) {
        logged = position;
    }

    /** Marks the group; returns whether this mark is new to it. */
    boolean visit(long mark) {
        boolean isNew = visited != mark;
        visited = mark;
        return isNew;
    }
}
