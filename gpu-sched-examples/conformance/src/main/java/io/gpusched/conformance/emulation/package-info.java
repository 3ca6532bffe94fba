/**
 * What other systems would do where their own way is not the library's: greedy choices that refuse pods that fit, the
 * choice of nodes of a Slurm controller, node agents that decide once more, queues and preemption of T9k.
 *
 * <p>Only the conformance runner and the Slurm form of {@code place} use them. What the library itself does is in
 * {@link io.gpusched.dialect}.
 */
@NullMarked
package io.gpusched.conformance.emulation;

import org.jspecify.annotations.NullMarked;
