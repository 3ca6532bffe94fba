package io.gpusched.model;

/**
 * A domain of the topology, such as one rack, as a run of nodes in node order.
 *
 * @param path the path down to this domain
 * @param fromOrder the order of its first node
 * @param toOrder the order after its last node
 */
public record TopologyDomain(Topology path, int fromOrder, int toOrder) {
    /** Returns the number of its nodes. */
    public int size() {
        return toOrder - fromOrder;
    }
}
