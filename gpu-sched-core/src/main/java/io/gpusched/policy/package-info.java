/**
 * How legal placements are compared: pure functions of a node before and after a placement. Scores are {@code long}; the
 * higher one wins. Equal scores are decided by node order, then by the lowest GPU index.
 *
 * <p>Begin at {@link io.gpusched.policy.PlacementPolicy}, which is one method; {@link
 * io.gpusched.policy.PlacementPolicy#scope} says how much of its answers a scheduler may remember:
 *
 * <pre>{@code
 * WorkloadProfile profile = WorkloadProfile.of(pastPods);
 * GpuScheduler packing = GpuScheduler.of(LookAhead.of(profile));
 * PlacementPolicy fewestPods = (before, after, request) -> -before.podCount();
 * GpuScheduler balancing = GpuScheduler.of(fewestPods);
 * Decision decision = balancing.schedule(cluster, pod);
 * }</pre>
 *
 * <p>A policy that considers what is scarce in the whole cluster is a {@link io.gpusched.policy.ClusterAwarePolicy} with
 * {@link io.gpusched.policy.ClusterAwarePolicy.Statistics}. The rest are the policies of the library: {@link
 * io.gpusched.policy.BinPack} and {@link io.gpusched.policy.LookAhead} are the defaults, without and with a profile of the
 * workload; {@link io.gpusched.policy.FragmentationGradient}, {@link io.gpusched.policy.BestFit} and {@link
 * io.gpusched.policy.RandomFit} are among those of the paper on fragmentation; {@link io.gpusched.policy.FirstFit} and {@link
 * io.gpusched.policy.Spread} are the plain ones.
 */
@NullMarked
package io.gpusched.policy;

import org.jspecify.annotations.NullMarked;
