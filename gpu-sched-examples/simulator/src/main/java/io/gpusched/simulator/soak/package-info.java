/**
 * Millions of random operations of all kinds against a slow and obvious model of a cluster. Entry point:
 * {@link io.gpusched.simulator.soak.SoakRun}; random histories of queues, judged by the checker: {@link io.gpusched.simulator.soak.QueueSoak}.
 */
@NullMarked
package io.gpusched.simulator.soak;

import org.jspecify.annotations.NullMarked;
