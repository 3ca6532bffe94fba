/**
 * What is held of a device that is cut into partitions, in one {@code long}, and what that leaves room for. Begin with
 * {@link io.gpusched.internal.partition.PartitionTable}.
 */
@NullMarked
package io.gpusched.internal.partition;

import org.jspecify.annotations.NullMarked;
