/** GaiaGPU's cases. */
@NullMarked
package io.gpusched.conformance.gaia;

import org.jspecify.annotations.NullMarked;
