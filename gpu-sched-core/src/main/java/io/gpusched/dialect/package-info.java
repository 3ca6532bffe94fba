/** placeholder */
@NullMarked
package io.gpusched.dialect;

import org.jspecify.annotations.NullMarked;
