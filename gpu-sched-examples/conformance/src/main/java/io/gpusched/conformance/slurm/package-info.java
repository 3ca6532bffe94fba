/** Recordings of a real Slurm. */
@NullMarked
package io.gpusched.conformance.slurm;

import org.jspecify.annotations.NullMarked;
