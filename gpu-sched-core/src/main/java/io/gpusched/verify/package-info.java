/**
 * The checker: judges what others decided, by every rule written down once more in its plainest form.
 *
 * <p>Begin at {@link io.gpusched.verify.Verifier}:
 *
 * <pre>{@code
 * Verifier verifier = Verifier.create();
 * Decision decision = scheduler.schedule(cluster, pod);
 * for (Violation violation : verifier.check(cluster, pod, decision)) {
 *     throw new AssertionError(violation.law() + ": " + violation.words());
 * }
 * }</pre>
 *
 * <p>It shares nothing with the engine but the values, is written from the documents and slow on purpose. For tests, and for a
 * second opinion before a decision is written.
 */
@NullMarked
package io.gpusched.verify;

import org.jspecify.annotations.NullMarked;
