/**
 * How legal placements are compared: pure functions of a node before and after a placement.
 *
 * <p>Begin at {@link io.gpusched.policy.PlacementPolicy}. The policies of the library are
 * {@link io.gpusched.policy.LookAhead} where the workload is known, {@link io.gpusched.policy.BinPack} where it is not,
 * and several others to compare them with.
 *
 * <pre>{@code
 * WorkloadProfile profile = WorkloadProfile.of(pastPods);
 * GpuScheduler packing = GpuScheduler.of(LookAhead.of(profile));
 * PlacementPolicy fewestPods = (before, after, request) -> -before.podCount();
 * GpuScheduler balancing = GpuScheduler.of(fewestPods);
 * Decision decision = balancing.schedule(cluster, pod);
 * }</pre>
 *
 * <p>Scores are {@code long}; the higher one wins. Equal scores are decided by node order, then by the lowest GPU index.
 */
@NullMarked
package io.gpusched.policy;

import org.jspecify.annotations.NullMarked;
