/** nano-gpu's cases. */
@NullMarked
package io.gpusched.examples.conformance.nanogpu;

import org.jspecify.annotations.NullMarked;
