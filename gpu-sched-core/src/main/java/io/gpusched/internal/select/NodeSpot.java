package io.gpusched.internal.select;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;

/** A node of a snapshot, and the class of the tree that holds it there. */
record NodeSpot(NodeState node, NodeClass treeClass) {}
