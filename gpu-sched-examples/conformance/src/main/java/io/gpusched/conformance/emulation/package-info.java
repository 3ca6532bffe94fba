/**
 * What other systems would do where their own way is not the library's: greedy choices that refuse pods that fit, node agents
 * that decide once more, times as T9k writes them.
 *
 * <p>Only the conformance runner uses them. What the library itself does is in
 * {@link io.gpusched.dialect}.
 */
@NullMarked
package io.gpusched.conformance.emulation;

import org.jspecify.annotations.NullMarked;
