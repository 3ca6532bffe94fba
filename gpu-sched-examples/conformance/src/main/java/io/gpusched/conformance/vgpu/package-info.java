/** HAMi's and Volcano's cases. */
@NullMarked
package io.gpusched.conformance.vgpu;

import org.jspecify.annotations.NullMarked;
