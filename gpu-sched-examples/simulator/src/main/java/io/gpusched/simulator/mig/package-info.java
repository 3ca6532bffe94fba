/**
 * Packing of MIG partitions by several rules, beside an upper bound. Begin with {@link io.gpusched.simulator.mig.MigExperiment}.
 */
@NullMarked
package io.gpusched.simulator.mig;

import org.jspecify.annotations.NullMarked;
