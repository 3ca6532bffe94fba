/**
 * Reads what {@code nvidia-smi} prints about a machine into a node. Start with {@link
 * io.gpusched.dialect.nvidiasmi.NvidiaSmi}.
 */
@NullMarked
package io.gpusched.dialect.nvidiasmi;

import org.jspecify.annotations.NullMarked;
