package io.gpusched.model;

import org.jspecify.annotations.Nullable;

/**
 * A domain of the topology of one snapshot, such as one rack: its path and how many nodes stand there. Immutable; two
 * domains are equal if path and size are.
 */
public final class TopologyDomain {
    private final Topology path;
    private final int size;
    private final long from;
    private final long to;

    /**
     * @param from the key of its first node in the node order
     * @param to the key up to which its nodes reach, not included
     */
    TopologyDomain(Topology path, int size, long from, long to) {
        this.path = path;
        this.size = size;
        this.from = from;
        this.to = to;
    }

    /** Returns the path down to this domain. */
    public Topology path() {
        return path;
    }

    /** Returns the number of its nodes. */
    public int size() {
        return size;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopologyDomain domain && size == domain.size && path.equals(domain.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode() * 31 + size;
    }

    @Override
    public String toString() {
        return path + " (" + size + " nodes)";
    }
}
