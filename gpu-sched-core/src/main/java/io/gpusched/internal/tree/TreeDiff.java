package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/**
 * Tells what is different between two versions of a {@link KeyedTree}.
 *
 * <p>Two cursors walk over the trees in key order. Where both stand at the same array, both pass by it with all that is below.
 * Else the one that is behind, or at equal keys the one that stands at a higher part, looks into its part. So parts are skipped
 * wherever they are shared, even if splits and joins around them have put them at other places or heights of the tree. Cost:
 * O(changed leaves · log n), for only the parts above changed leaves, and at each of their ends some of those beside them, are
 * not shared.
 */
final class TreeDiff<T> {
    private final TreeCursor before;
    private final TreeCursor after;
    private final LeafChanges<? super T> action;
    private int steps;

    TreeDiff(TreeCursor before, TreeCursor after, LeafChanges<? super T> action) {
        this.before = before;
        this.after = after;
        this.action = action;
    }

    /** Calls back with every change; returns how many times a cursor moved. */
    int run() {
        while (before.isSomewhere() && after.isSomewhere()) {
            step();
        }
        for (; before.isSomewhere(); steps++) {
            tellOrEnter(before);
        }
        for (; after.isSomewhere(); steps++) {
            tellOrEnter(after);
        }
        return steps;
    }

    @SuppressWarnings("ReferenceEquality") // what two versions share is the same object
    private void step() {
        steps++;
        long old = before.key();
        long now = after.key();
        if (before.item() == after.item() && (old == now || !before.isAtLeaf())) {
            before.pass();
            after.pass();
        } else if (before.isAtLeaf() && after.isAtLeaf() && old == now) {
            action.accept(old, leaf(before), leaf(after));
            before.pass();
            after.pass();
        } else if (old < now || old == now && before.height() >= after.height()) {
            tellOrEnter(before);
        } else {
            tellOrEnter(after);
        }
    }

    /** Moves on the cursor that is behind: no leaf of the other has a key less than that of the next. */
    @SuppressWarnings("ReferenceEquality") // one of the two
    private void tellOrEnter(TreeCursor cursor) {
        if (!cursor.isAtLeaf()) {
            cursor.enter();
            return;
        }
        action.accept(cursor.key(), cursor == before ? leaf(cursor) : null, cursor == before ? null : leaf(cursor));
        cursor.pass();
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves
    private @Nullable T leaf(TreeCursor cursor) {
        return (T) cursor.item();
    }
}
