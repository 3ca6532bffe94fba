/**
 * What a cluster knows about its nodes and pods, so that searches need not look at all of them.
 */
@NullMarked
package io.gpusched.internal.index;

import org.jspecify.annotations.NullMarked;
