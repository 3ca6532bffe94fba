/**
 * What was decided, and why: a placement, or a refusal with its diagnosis.
 *
 * <p>Begin at {@link io.gpusched.decision.Decision}:
 *
 * <pre>{@code
 * Decision decision = scheduler.schedule(cluster, pod);
 * if (decision instanceof Placed placed) {
 *     cluster = cluster.with(placed.placement());
 * } else if (decision instanceof Unschedulable refused) {
 *     String why = refused.diagnosis().toString();
 * }
 * }</pre>
 *
 * <p>Everything here is an immutable value. That there is no room is a decision, never an exception.
 */
@NullMarked
package io.gpusched.decision;

import org.jspecify.annotations.NullMarked;
