/**
 * What a scheduler remembers of scores between decisions.
 */
@NullMarked
package io.gpusched.internal.score;

import org.jspecify.annotations.NullMarked;
