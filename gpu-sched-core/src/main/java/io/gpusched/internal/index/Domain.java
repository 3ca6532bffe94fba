package io.gpusched.internal.index;

import io.gpusched.model.Topology;

/**
 * A domain of a level, such as one rack: of the topology, or the nodes that have one value of a label.
 *
 * @param path the path down to it; of a label, the label and its value alone
 * @param range the slots of its nodes
 * @param size how many nodes stand in it
 */
public record Domain(Topology path, SlotRange range, int size) {}
