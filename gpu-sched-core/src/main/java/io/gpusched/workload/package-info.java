/**
 * What is asked: pods, their containers and GPU requests, and groups of pods that start together.
 *
 * <p>Everything here is an immutable value, checked when it is built; an amount out of range throws
 * {@link java.lang.IllegalArgumentException} with a message that names the pod, the field, the value and the legal
 * range. Passing {@code null} to any method throws {@link java.lang.NullPointerException}.
 */
@NullMarked
package io.gpusched.workload;

import org.jspecify.annotations.NullMarked;
