/**
 * What the library's policies work with: tables by workload and by class of nodes, and the parts of the look-ahead.
 */
@NullMarked
package io.gpusched.internal.lookahead;

import org.jspecify.annotations.NullMarked;
