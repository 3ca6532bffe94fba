/**
 * The recipes of docs/cookbook.md: one class for each, with a {@code main} that prints what the page shows.
 *
 * <p>Begin at {@link io.gpusched.cookbook.MapMyCluster}; the others work on the cluster that it makes.
 */
@NullMarked
package io.gpusched.cookbook;

import org.jspecify.annotations.NullMarked;
