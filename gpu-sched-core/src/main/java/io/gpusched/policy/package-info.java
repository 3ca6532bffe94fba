/**
 * How candidates are compared: pure functions of a node before and after a placement.
 *
 * <p>Scores are {@code long}; the higher one wins. Equal scores end in node order, then in the lowest GPU index.
 */
@NullMarked
package io.gpusched.policy;

import org.jspecify.annotations.NullMarked;
