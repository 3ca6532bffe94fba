package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/**
 * Applies updates to a {@link KeyedTree} in one walk; every part above some of them is copied once.
 *
 * <p>Nearly all updates put a leaf in place of another: then copies of the parts take their places and summaries are brought
 * up to date. Where leaves come or go, a chunk, and what is above it as far as need be, is built anew.
 */
final class TreeUpdate<T> {
    private final SummaryFormat<T> format;
    private final UpdateBuffer<T> updates;

    /** The {@linkplain TreeLayout#place place} of each update. */
    private final long[] places;

    private int added;
    private long counted;
    private boolean changesKeys;

    TreeUpdate(SummaryFormat<T> format, UpdateBuffer<T> updates, long[] places) {
        this.format = format;
        this.updates = updates;
        this.places = places;
    }

    /** Whether leaves came or went, under other keys than before. */
    boolean changesKeys() {
        return changesKeys;
    }

    /** By how much the sum of the counts has grown unless {@link #changesKeys}. */
    long counted() {
        return counted;
    }

    /** By how many the number of leaves has grown. */
    int added() {
        return added;
    }

    /**
     * Makes some of the updates, all of which are below one part. Puts a copy of the part and its summary into the array that
     * holds them and returns null, or returns the parts that are to take its place.
     */
    @Nullable
    PartList<T> in(Object[] holder, int slot, int stride, int height, int from, int to) {
        if (height > 0) {
            return inBranch(holder, slot, stride, height, from, to);
        }
        if (inChunk(holder, slot, stride, from, to)) {
            return null;
        }
        if (!areEntering((Object[]) holder[slot], from, to)) {
            return rebuilt((Object[]) holder[slot], from, to);
        }
        for (int i = from; i < to; i++) {
            enter(holder, slot, stride, updates.get(i));
        }
        return null;
    }

    /** Whether all updates put leaves that were not there, for which a chunk has free places. */
    private boolean areEntering(Object[] chunk, int from, int to) {
        boolean enter = TreeLayout.count(chunk) + to - from <= TreeLayout.FAN;
        for (int i = from; enter && i < to; i++) {
            enter = updates.get(i).leaf() != null && !TreeLayout.isThere(places[i]);
        }
        return enter;
    }

    /** Puts one leaf more into a free place of a chunk: the other leaves are not looked at. */
    private void enter(Object[] holder, int slot, int stride, LeafUpdate<T> update) {
        Object[] chunk = (Object[]) holder[slot];
        int count = TreeLayout.count(chunk);
        long[] oldKeys = TreeLayout.chunkKeys(chunk);
        int at = TreeLayout.countBelow(oldKeys, update.key());
        long[] keys = oldKeys.clone();
        System.arraycopy(oldKeys, at, keys, at + 1, count - at);
        keys[at] = update.key();
        Object[] more = TreeLayout.chunk(keys);
        System.arraycopy(chunk, 0, more, 0, at);
        more[at] = update.leaf();
        System.arraycopy(chunk, at, more, at + 1, count - at);
        long[] summary = BucketSummary.withGap((long[]) holder[slot + stride], at, TreeLayout.FAN);
        holder[slot] = more;
        holder[slot + stride] = ChunkChange.applied(format, summary, at, update);
        added++;
        changesKeys = true;
    }

    /** Makes updates in a chunk and returns true, or does nothing and returns false if its keys would change. */
    private boolean inChunk(Object[] holder, int slot, int stride, int from, int to) {
        for (int i = from; i < to; i++) {
            if (TreeLayout.isThere(places[i]) != (updates.get(i).leaf() != null)) {
                return false;
            }
        }
        Object[] chunk = ((Object[]) holder[slot]).clone();
        long[] summary = (long[]) holder[slot + stride];
        for (int i = from; i < to; i++) {
            LeafUpdate<T> update = updates.get(i);
            if (update.leaf() != null) {
                int at = TreeLayout.digit(places[i], 0);
                counted += format.count(update.digest()) - format.count(TreeLayout.digest(summary, at));
                chunk[at] = update.leaf();
                summary = ChunkChange.applied(format, summary, at, update);
            }
        }
        holder[slot] = chunk;
        holder[slot + stride] = summary;
        return true;
    }

    /** Returns chunks of the leaves of a chunk and those that come, without those that go. */
    private PartList<T> rebuilt(Object[] chunk, int from, int to) {
        long[] oldKeys = TreeLayout.chunkKeys(chunk);
        int count = TreeLayout.count(chunk);
        long[] keys = new long[count + to - from];
        Object[] leaves = new Object[keys.length];
        int size = 0;
        int old = 0;
        for (int i = from; i < to; i++) {
            LeafUpdate<T> update = updates.get(i);
            for (; old < count && oldKeys[old] < update.key(); old++) {
                keys[size] = oldKeys[old];
                leaves[size++] = chunk[old];
            }
            if (old < count && oldKeys[old] == update.key()) {
                old++;
            }
            if (update.leaf() != null) {
                keys[size] = update.key();
                leaves[size++] = update.leaf();
            }
        }
        for (; old < count; old++) {
            keys[size] = oldKeys[old];
            leaves[size++] = chunk[old];
        }
        added += size - count;
        changesKeys = true;
        return PartList.ofLeaves(format, keys, leaves, size);
    }

    @SuppressWarnings("ReferenceEquality") // a summary that came out equal is the same object
    private @Nullable PartList<T> inBranch(Object[] holder, int slot, int stride, int height, int from, int to) {
        Object[] branch = ((Object[]) holder[slot]).clone();
        branch[TreeLayout.SUM] = null;
        long[] summary = (long[]) holder[slot + stride];
        long[] result = summary;
        @Nullable PartList<T>[] rebuilt = null;
        int next = from;
        while (next < to) {
            int first = next;
            int at = TreeLayout.digit(places[first], height);
            while (next < to && TreeLayout.digit(places[next], height) == at) {
                next++;
            }
            long[] before = TreeLayout.summary(branch, at);
            PartList<T> parts = in(branch, at, TreeLayout.FAN, height - 1, first, next);
            if (parts != null && !takesPlace(parts, branch, at)) {
                rebuilt = rebuilt == null ? noParts() : rebuilt;
                rebuilt[at] = parts;
            }
            long[] after = TreeLayout.summary(branch, at);
            result = before == after ? result : BranchChange.applied(branch, result, summary, at, before, after);
        }
        if (rebuilt != null) {
            return rebuilt(branch, rebuilt, height);
        }
        holder[slot] = branch;
        holder[slot + stride] = result;
        return null;
    }

    @SuppressWarnings("unchecked") // made here
    private static <T> @Nullable PartList<T>[] noParts() {
        return (@Nullable PartList<T>[]) new PartList<?>[TreeLayout.FAN];
    }

    /** Puts a single part that is large enough into its place and returns true. */
    private static boolean takesPlace(PartList<?> parts, Object[] branch, int at) {
        if (parts.size() != 1 || TreeLayout.count(parts.part(0)) < TreeLayout.LEAST) {
            return false;
        }
        branch[at] = parts.part(0);
        branch[TreeLayout.FAN + at] = parts.summary(0);
        return true;
    }

    /** Returns branches of the parts of a branch, some of which others replace. */
    private PartList<T> rebuilt(Object[] branch, @Nullable PartList<T>[] rebuilt, int height) {
        long[] keys = TreeLayout.branchKeys(branch);
        PartList<T> parts = new PartList<>(format, height - 1, 2 * TreeLayout.FAN);
        for (int i = 0; i < TreeLayout.count(branch); i++) {
            PartList<T> others = rebuilt[i];
            if (others == null) {
                parts.add(TreeLayout.part(branch, i), TreeLayout.summary(branch, i), keys[i]);
            } else {
                parts.addAll(others, keys[i]);
            }
        }
        parts.mend();
        return parts.grouped();
    }
}
