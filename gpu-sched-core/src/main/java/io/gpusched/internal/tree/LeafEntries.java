package io.gpusched.internal.tree;

/** Is called back with leaves and their keys. */
@FunctionalInterface
public interface LeafEntries<T> {
    void accept(long key, T leaf);
}
