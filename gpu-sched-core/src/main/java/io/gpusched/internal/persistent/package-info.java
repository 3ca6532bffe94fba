/**
 * Collections; a change returns a new one that shares what did not change. They know nothing of the field.
 */
@NullMarked
package io.gpusched.internal.persistent;

import org.jspecify.annotations.NullMarked;
