/** One situation put to many systems. */
@NullMarked
package io.gpusched.conformance.cross;

import org.jspecify.annotations.NullMarked;
