/**
 * Runs HiveD's sequences: virtual clusters become queues that own shapes, and each request of a gang is one plan of the cycle. Entry point:
 * {@link io.gpusched.conformance.hived.HivedFormat}.
 */
@NullMarked
package io.gpusched.conformance.hived;

import org.jspecify.annotations.NullMarked;
