/**
 * What was decided, and why not: placements, refusals and the diagnosis behind a refusal.
 *
 * <p>Everything here is an immutable value. Finding no room is a decision, never an exception.
 */
@NullMarked
package io.gpusched.decision;

import org.jspecify.annotations.NullMarked;
