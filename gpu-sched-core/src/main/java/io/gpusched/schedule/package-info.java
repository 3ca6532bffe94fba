/**
 * Decides where one pod goes, and where the pods of a group go that must start together.
 *
 * <p>Begin at {@link io.gpusched.schedule.GpuScheduler}:
 *
 * <pre>{@code
 * GpuScheduler scheduler = GpuScheduler.create();
 * Decision decision = scheduler.schedule(cluster, pod);
 * GroupDecision together = scheduler.schedule(cluster, group);
 * if (decision instanceof Placed placed) {
 *     cluster = cluster.with(placed.placement());
 * }
 * }</pre>
 *
 * <p>A decision is a pure function of the snapshot, the request and the policy. A scheduler keeps caches, which never
 * change an answer; take one scheduler for each thread.
 */
@NullMarked
package io.gpusched.schedule;

import org.jspecify.annotations.NullMarked;
