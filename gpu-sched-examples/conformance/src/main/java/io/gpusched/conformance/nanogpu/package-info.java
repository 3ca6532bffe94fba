/** nano-gpu's cases. */
@NullMarked
package io.gpusched.conformance.nanogpu;

import org.jspecify.annotations.NullMarked;
