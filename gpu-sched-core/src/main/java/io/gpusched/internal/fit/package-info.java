/**
 * What fits where: the one rule for a device, a node and a class of nodes, and the layout of a pod's containers on a node.
 */
@NullMarked
package io.gpusched.internal.fit;

import org.jspecify.annotations.NullMarked;
