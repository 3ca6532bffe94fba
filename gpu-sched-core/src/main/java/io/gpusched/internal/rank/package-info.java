/**
 * What a scheduler remembers of scores between decisions.
 */
@NullMarked
package io.gpusched.internal.rank;

import org.jspecify.annotations.NullMarked;
