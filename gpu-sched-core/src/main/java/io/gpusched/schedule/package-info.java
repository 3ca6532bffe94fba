/**
 * The algorithms: where one pod goes, and where a group of pods goes that must start together.
 *
 * <p>A decision is a pure function of the snapshot, the request and the policy; schedulers keep caches that never
 * change an answer.
 */
@NullMarked
package io.gpusched.schedule;

import org.jspecify.annotations.NullMarked;
