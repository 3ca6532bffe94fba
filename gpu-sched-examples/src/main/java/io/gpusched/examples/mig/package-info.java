/**
 * Packing of MIG partitions by several rules, beside an upper bound. Begin with {@link io.gpusched.examples.mig.MigExperiment}.
 */
@NullMarked
package io.gpusched.examples.mig;

import org.jspecify.annotations.NullMarked;
