/** Checks of values at the doors of the library; it knows no type of the field. */
@NullMarked
package io.gpusched.internal.check;

import org.jspecify.annotations.NullMarked;
