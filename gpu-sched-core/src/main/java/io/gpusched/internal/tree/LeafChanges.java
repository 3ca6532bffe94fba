package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/** Is called back with what is not the same object in two versions. */
@FunctionalInterface
public interface LeafChanges<T> {
    /**
     * Tells of the leaf under a key.
     *
     * @param before the leaf in the older version, null if there was none
     * @param after the leaf in the newer version, null if there is none
     */
    void accept(long key, @Nullable T before, @Nullable T after);
}
