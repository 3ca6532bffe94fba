/**
 * Guarantees of shape: the cells of a cluster, and which of them queues own. {@link io.gpusched.internal.shapes.Guarantees} tells in which
 * cells guaranteed jobs of a queue may run, and what the rest of the cluster may be used for without breaking anybody's guarantee.
 */
@NullMarked
package io.gpusched.internal.shapes;

import org.jspecify.annotations.NullMarked;
