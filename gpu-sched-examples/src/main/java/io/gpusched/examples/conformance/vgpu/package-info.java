/** HAMi's and Volcano's cases. */
@NullMarked
package io.gpusched.examples.conformance.vgpu;

import org.jspecify.annotations.NullMarked;
