/**
 * Groups of pods that start together or not at all.
 */
@NullMarked
package io.gpusched.internal.gang;

import org.jspecify.annotations.NullMarked;
