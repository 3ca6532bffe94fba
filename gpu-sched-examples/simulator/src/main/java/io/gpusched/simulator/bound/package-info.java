/**
 * How far a run is from the best that any scheduler could do: a linear program over all pods of a workload.
 *
 * <pre>{@code
 * double bestPossiblePercent = UpperBound.of(cluster, pods).percent();
 * }</pre>
 */
@NullMarked
package io.gpusched.simulator.bound;

import org.jspecify.annotations.NullMarked;
