/** Reads and generates workloads: the openb node and pod lists, arrival orders and gang traces. */
@NullMarked
package io.gpusched.simulator.trace;

import org.jspecify.annotations.NullMarked;
