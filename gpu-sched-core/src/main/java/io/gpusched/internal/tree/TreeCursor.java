package io.gpusched.internal.tree;

/** A place in a {@link KeyedTree}: at a part or at a leaf, before all that is below it or follows. */
final class TreeCursor {
    private final int rootHeight;

    /** For each level, from an array that holds the root down, the part that is looked into. */
    private final Object[][] parts;

    /** At each level at which of the part's parts or leaves. */
    private final int[] at;

    /** At each level a key not greater than any from here on. */
    private final long[] keys;

    private int level;

    TreeCursor(Object[] root, int height, boolean isEmpty) {
        this.rootHeight = height;
        this.parts = new Object[rootHeight + 2][];
        this.at = new int[rootHeight + 2];
        this.keys = new long[rootHeight + 2];
        parts[0] = new Object[] {root};
        keys[0] = 0;
        level = isEmpty ? -1 : 0;
    }

    /** Whether it has not passed everything. */
    boolean isSomewhere() {
        return level >= 0;
    }

    /** The part or leaf it is at. */
    Object item() {
        return parts[level][at[level]];
    }

    /** The number of levels of branches from the part down; -1 at a leaf. */
    int height() {
        return rootHeight - level;
    }

    boolean isAtLeaf() {
        return level > rootHeight;
    }

    /** The key of the leaf, or one that is not greater than any of the part. */
    long key() {
        return keys[level];
    }

    /** Moves into the part, to its first part or leaf. */
    void enter() {
        Object[] part = (Object[]) item();
        long key = keys[level++];
        parts[level] = part;
        at[level] = 0;
        keys[level] = isAtLeaf() ? TreeLayout.keys(part)[0] : key;
    }

    /** Moves behind the part or leaf with all that is below it. */
    void pass() {
        while (level > 0) {
            long[] there = TreeLayout.keys(parts[level]);
            int next = ++at[level];
            if (next < TreeLayout.FAN && there[next] < Long.MAX_VALUE) {
                keys[level] = there[next];
                return;
            }
            level--;
        }
        level = -1;
    }
}
