package io.gpusched.model;

import java.util.Objects;

/**
 * A domain of the topology of one snapshot, such as one rack.
 *
 * @param path the path down to this domain
 * @param size the number of its nodes
 */
public record TopologyDomain(Topology path, int size) {
    /** Checks that nothing is missing. */
    public TopologyDomain {
        Objects.requireNonNull(path, "path");
    }

    @Override
    public String toString() {
        return path + " (" + size + " nodes)";
    }
}
