/**
 * Generic persistent data structures. They know no type of the field, and nobody outside this library sees them.
 */
@NullMarked
package io.gpusched.internal;

import org.jspecify.annotations.NullMarked;
