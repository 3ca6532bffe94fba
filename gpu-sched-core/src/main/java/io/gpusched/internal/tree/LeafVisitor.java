package io.gpusched.internal.tree;

/** Looks at leaves until it found one. */
interface LeafVisitor<T> {
    /** Returns whether this leaf is what was looked for. */
    boolean passes(long key, T leaf);
}
