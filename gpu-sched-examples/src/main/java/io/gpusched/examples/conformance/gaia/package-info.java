/** GaiaGPU's cases. */
@NullMarked
package io.gpusched.examples.conformance.gaia;

import org.jspecify.annotations.NullMarked;
