/**
 * What no scheduler could exceed. Begin at {@link io.gpusched.simulator.bound.UpperBound}:
 *
 * <pre>{@code
 * double bestPossiblePercent = UpperBound.of(cluster, pastPods).percent();
 * }</pre>
 */
@NullMarked
package io.gpusched.simulator.bound;

import org.jspecify.annotations.NullMarked;
