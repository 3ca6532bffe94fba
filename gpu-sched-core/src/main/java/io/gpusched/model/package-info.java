/**
 * What exists and what runs: an immutable snapshot of nodes and devices, what each pod holds, what is free.
 *
 * <p>Everything here is a value. Methods that change something return a new value and leave the old one as it was, so
 * that any snapshot may be kept, compared and shared between threads. Passing {@code null} to any method throws
 * {@link java.lang.NullPointerException}. Amounts are integers: CPU and compute in milli, memory in MiB.
 */
@NullMarked
package io.gpusched.model;

import org.jspecify.annotations.NullMarked;
