/**
 * Millions of random operations of all kinds against a slow and obvious model of a cluster. Entry point:
 * {@link io.gpusched.simulator.soak.SoakRun}.
 */
@NullMarked
package io.gpusched.simulator.soak;

import org.jspecify.annotations.NullMarked;
