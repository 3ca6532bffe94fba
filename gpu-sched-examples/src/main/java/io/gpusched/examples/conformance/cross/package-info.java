/** One situation put to many systems. */
@NullMarked
package io.gpusched.examples.conformance.cross;

import org.jspecify.annotations.NullMarked;
