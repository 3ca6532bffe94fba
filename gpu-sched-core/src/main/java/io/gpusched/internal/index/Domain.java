package io.gpusched.internal.index;

import io.gpusched.model.Topology;

/**
 * A domain of a topology level, such as one rack.
 *
 * @param path the path down to it
 * @param range the slots of its nodes; no other node has a slot between them
 * @param size how many nodes stand in it
 */
public record Domain(Topology path, SlotRange range, int size) {}
