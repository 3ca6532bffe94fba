/** Recordings of a real Slurm. */
@NullMarked
package io.gpusched.examples.conformance.slurm;

import org.jspecify.annotations.NullMarked;
