package io.gpusched.internal.tree;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SummaryTree} whose last changes wait beside it until there are enough to be worth a walk down the tree.
 *
 * <p>What changes is likely to change again soon: a pod takes the place of one that just left. Then the branches never
 * hear of it. Immutable and thread-safe.
 *
 * @param <T> the leaves
 */
public final class DeferredTree<T> {
    private final SummaryTree<T> base;
    private final Pending<T> pending;

    /** The tree that knows of all changes, once it was asked for: any thread makes an equal one. */
    private @Nullable SummaryTree<T> settled;

    private DeferredTree(SummaryTree<T> base, Pending<T> pending) {
        this.base = base;
        this.pending = pending;
        this.settled = pending.isEmpty() ? base : null;
    }

    /** Returns a tree of which no change waits. */
    public static <T> DeferredTree<T> of(SummaryTree<T> tree) {
        return new DeferredTree<>(tree, Pending.none());
    }

    /** Returns the tree that knows of all changes; O(log n) at first for each of the few that wait, then O(1). */
    public SummaryTree<T> settled() {
        SummaryTree<T> known = settled;
        if (known == null) {
            known = base.with(pending);
            settled = known;
        }
        return known;
    }

    /** Returns the number of leaves. */
    public int size() {
        return base.size();
    }

    /** Returns the leaf at this position, O(log n). */
    public T get(int index) {
        T waiting = pending.leaf(index);
        return waiting == null ? base.get(index) : waiting;
    }

    /** Returns this tree with one leaf replaced, O(log n) on the average of many. */
    public DeferredTree<T> with(int index, T leaf) {
        LeafUpdate<T> change = LeafUpdate.put(base.format(), index, leaf);
        if (pending.size() < Pending.MOST || pending.leaf(index) != null) {
            return new DeferredTree<>(base, pending.with(change));
        }
        return new DeferredTree<>(settled(), Pending.<T>none().with(change));
    }

    /** Returns this tree with some leaves replaced by those for their positions, O(log n) for each. */
    public DeferredTree<T> withAll(Int2ObjectMap<T> leaves) {
        Pending<T> all = pending.with(Pending.of(base.format(), leaves));
        return all.size() <= Pending.MOST ? new DeferredTree<>(base, all) : of(base.with(all));
    }

    /**
     * Returns the first leaf from position {@code from} up to but not including {@code to} that is in one of some lanes,
     * has at least these numbers and passes a test; or null. Leaves are tested in order; a test that none passes has seen
     * all there are.
     *
     * @param word which 64 lanes are meant
     * @param mask the lanes among them as a bit mask
     * @param least the least of each number
     */
    public @Nullable T first(int word, long mask, long least, int from, int to, Predicate<? super T> wanted) {
        return new Merge(word, mask, least, from, wanted).first(from, to);
    }

    /** Looks at the leaves of the base and at those that wait in one order. */
    private final class Merge implements SummaryTree.Visitor<T> {
        private final int word;
        private final long mask;
        private final long least;
        private final Predicate<? super T> wanted;

        /** Which of those that wait is to be looked at next. */
        private int next;

        private @Nullable T found;

        Merge(int word, long mask, long least, int from, Predicate<? super T> wanted) {
            this.word = word;
            this.mask = mask;
            this.least = least;
            this.wanted = wanted;
            // where none of those that wait is in any such lane, there is nothing to look for among them
            this.next = (pending.lanes(word) & mask) == 0 ? pending.size() : pending.from(from);
        }

        @Nullable
        T first(int from, int to) {
            if (!base.visit(word, mask, least, from, to, this)) {
                foundWaitingUpTo(Math.min(to, size()) - 1);
            }
            return found;
        }

        @Override
        public boolean passes(int position, T leaf) {
            if (foundWaitingUpTo(position)) {
                return true;
            }
            if (pending.leaf(position) != null || !wanted.test(leaf)) {
                return false;
            }
            found = leaf;
            return true;
        }

        /** Whether one of those that wait for a place up to this one is what is looked for. */
        private boolean foundWaitingUpTo(int position) {
            for (; next < pending.size() && pending.change(next).key() <= position; next++) {
                LeafUpdate<T> change = pending.change(next);
                if ((change.lanes(word) & mask) != 0
                        && Lanes.covers(change.entry(), least)
                        && wanted.test(change.leaf())) {
                    found = change.leaf();
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the first lane at or after {@code from} and before {@code to} that a leaf is in, or one before it; -1 if no leaf
     * is in any.
     */
    public int nextLane(int from, int to) {
        long[] summary = base.summary();
        for (int word = from >> 6; word << 6 < to; word++) {
            long all = LaneSummary.bits(summary, word) | pending.lanes(word);
            long rest = word == from >> 6 ? all & -1L << from : all;
            if (rest != 0) {
                int lane = (word << 6) + Long.numberOfTrailingZeros(rest);
                return lane < to ? lane : -1;
            }
        }
        return -1;
    }

    /** Calls back with the position of every leaf that is not the same object in both, O(changed leaves · log n). */
    @SuppressWarnings("ReferenceEquality") // a change that both know of is the same object
    public void forEachChange(DeferredTree<T> other, IntConsumer position) {
        if (base != other.base) {
            settled().forEachChange(other.settled(), position);
            return;
        }
        int mine = 0;
        int theirs = 0;
        while (mine < pending.size() || theirs < other.pending.size()) {
            int here = pending.position(mine);
            int there = other.pending.position(theirs);
            int at = Math.min(here, there);
            LeafUpdate<T> ours = here == at ? pending.change(mine) : null;
            LeafUpdate<T> others = there == at ? other.pending.change(theirs) : null;
            if (ours != others && leaf(ours, at) != leaf(others, at)) {
                position.accept(at);
            }
            mine += here == at ? 1 : 0;
            theirs += there == at ? 1 : 0;
        }
    }

    private @Nullable T leaf(@Nullable LeafUpdate<T> change, int position) {
        return change == null ? base.get(position) : change.leaf();
    }
}
