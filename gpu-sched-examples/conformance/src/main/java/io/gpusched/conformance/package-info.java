/**
 * Runs what other systems' own tests and runs expect (vector files) through the public API of the library.
 *
 * <p>A vector file holds cases; each case has a kind; a {@link io.gpusched.conformance.VectorKind} answers the
 * cases of its kinds; the answer is compared with what the case expects. What no kind answers is skipped by name.
 */
@NullMarked
package io.gpusched.conformance;

import org.jspecify.annotations.NullMarked;
