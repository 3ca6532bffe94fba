/**
 * Runs the cases of NVIDIA's go-gpuallocator: which GPUs of a machine are taken by their links.
 */
@NullMarked
package io.gpusched.conformance.links;

import org.jspecify.annotations.NullMarked;
