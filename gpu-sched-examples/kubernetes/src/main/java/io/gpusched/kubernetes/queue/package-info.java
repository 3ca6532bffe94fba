/**
 * What decides about the order and the pace of tries: the priorities of pods and groups, and delays that double after each failure.
 *
 * <pre>{@code
 * long delay = Backoff.DEFAULT.afterMillis(3); // 4,000 ms after the third failure
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.queue;

import org.jspecify.annotations.NullMarked;
