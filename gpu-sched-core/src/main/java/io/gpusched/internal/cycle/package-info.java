/**
 * Scheduling cycles: who of many queues starts, who moves and who leaves.
 *
 * <p>Begin at {@link io.gpusched.internal.cycle.CycleRun}, which runs the passes one after the other. What all of them share is the
 * {@link io.gpusched.internal.cycle.Cycle}: what each queue uses, what each job asks, and the snapshots.
 */
@NullMarked
package io.gpusched.internal.cycle;

import org.jspecify.annotations.NullMarked;
