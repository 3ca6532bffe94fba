/**
 * Mutating admission: the API server shows each new pod that asks for GPUs, and it is given what its dialect's scheduler and
 * runtime need of it, or refused in the dialect's words.
 *
 * <p>{@link io.gpusched.kubernetes.webhook.Admission} answers one review, without side effects:
 *
 * <pre>{@code
 * Admission admission = new Admission(dialects, "gpu-sched", new GrantGuard(accounts));
 * ObjectNode answer = admission.review(json);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.webhook;

import org.jspecify.annotations.NullMarked;
