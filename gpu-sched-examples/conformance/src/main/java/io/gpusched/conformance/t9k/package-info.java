/** T9k's cases. */
@NullMarked
package io.gpusched.conformance.t9k;

import org.jspecify.annotations.NullMarked;
