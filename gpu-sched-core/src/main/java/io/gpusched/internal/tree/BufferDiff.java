package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/**
 * Tells what is different between two versions of a {@link BufferedTree} that are one tree with different updates.
 *
 * @param base the tree
 * @param updates the updates of the later version
 * @param first those of them that were there before others of the same keys came; these know what is in the tree
 */
record BufferDiff<T>(KeyedTree<T> base, UpdateBuffer<T> updates, UpdateBuffer<T> first) {
    /** Calls back in key order with every change since a version with these updates. */
    void tell(UpdateBuffer<T> older, LeafChanges<? super T> action) {
        int mine = updates.countShared(older);
        int theirs = mine;
        while (mine < updates.size() || theirs < older.size()) {
            long here = updates.key(mine);
            long there = older.key(theirs);
            LeafUpdate<T> now = here <= there ? updates.get(mine++) : null;
            LeafUpdate<T> old = there <= here ? older.get(theirs++) : null;
            tell(Math.min(here, there), old, now, action);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an update that both know of is the same object
    private void tell(
            long key, @Nullable LeafUpdate<T> old, @Nullable LeafUpdate<T> now, LeafChanges<? super T> action) {
        if (old == now) {
            return;
        }
        T before = old == null ? inBase(key, now) : old.leaf();
        T after = now == null ? inBase(key, old) : now.leaf();
        if (before != after) {
            action.accept(key, before, after);
        }
    }

    /** The leaf that an update takes the place of in the tree. */
    private @Nullable T inBase(long key, @Nullable LeafUpdate<T> update) {
        LeafUpdate<T> known = first.find(key);
        LeafUpdate<T> earliest = known == null ? update : known;
        return earliest == null || earliest.before() == null ? base.get(key) : earliest.before();
    }
}
