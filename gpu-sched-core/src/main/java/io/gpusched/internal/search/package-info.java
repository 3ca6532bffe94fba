/**
 * Ways to the best node: by the index, by remembered scores, or by a look at every node.
 */
@NullMarked
package io.gpusched.internal.search;

import org.jspecify.annotations.NullMarked;
