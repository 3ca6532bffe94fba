/**
 * Reads what {@code nvidia-smi} prints about a machine into a node. Start with {@link
 * io.gpusched.examples.nvidiasmi.NvidiaSmi}.
 */
@NullMarked
package io.gpusched.examples.nvidiasmi;

import org.jspecify.annotations.NullMarked;
