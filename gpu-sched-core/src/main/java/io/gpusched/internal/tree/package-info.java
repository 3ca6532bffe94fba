/**
 * Generic persistent data structures. They know no type of the field.
 */
@NullMarked
package io.gpusched.internal.tree;

import org.jspecify.annotations.NullMarked;
