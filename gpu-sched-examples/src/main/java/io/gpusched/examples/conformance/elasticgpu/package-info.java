/** elastic-gpu's cases. */
@NullMarked
package io.gpusched.examples.conformance.elasticgpu;

import org.jspecify.annotations.NullMarked;
