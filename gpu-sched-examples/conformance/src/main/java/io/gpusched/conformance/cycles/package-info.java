/**
 * Runs scenarios of several scheduling cycles with evictions that take their time, and checks the properties that must hold: no
 * loops, no victims for nothing. Entry point: {@link io.gpusched.conformance.cycles.CyclesFormat}.
 */
@NullMarked
package io.gpusched.conformance.cycles;

import org.jspecify.annotations.NullMarked;
