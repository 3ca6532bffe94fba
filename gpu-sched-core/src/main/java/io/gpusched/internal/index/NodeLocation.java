package io.gpusched.internal.index;

import io.gpusched.model.Topology;

/**
 * Where a node stands in a snapshot, and most likely in those made from it. Immutable.
 *
 * @param name the node's name
 * @param number the node's number, which stays as long as the node does
 * @param topology where the machine stands
 * @param order its key in the node order; only comparing it means anything
 * @param tree the position of the tree that holds it
 * @param path where in that tree it stood when the tree was built, as {@code KeyedTree.path} tells; 0 if that is not known
 */
public record NodeLocation(String name, int number, Topology topology, long order, int tree, int path) {
    /** Returns this location with another key in the node order. */
    public NodeLocation withOrder(long key) {
        return new NodeLocation(name, number, topology, key, tree, path);
    }

    /** Returns this location in another tree. */
    public NodeLocation withTree(int position) {
        return position == tree ? this : new NodeLocation(name, number, topology, order, position, 0);
    }

    /** Returns whether a node of this topology and name comes before one of another. */
    int compareTo(Topology otherTopology, String otherName) {
        int byTopology = topology.compareTo(otherTopology);
        return byTopology != 0 ? byTopology : name.compareTo(otherName);
    }
}
