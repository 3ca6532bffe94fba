/** elastic-gpu's cases. */
@NullMarked
package io.gpusched.conformance.elasticgpu;

import org.jspecify.annotations.NullMarked;
