/**
 * Replays job lists through {@link io.gpusched.queue.SchedulingCycle}: how long jobs wait in which queue.
 *
 * <p>{@link io.gpusched.simulator.cycle.CycleReplay} plays a {@link io.gpusched.simulator.cycle.CycleScenario}.
 */
@NullMarked
package io.gpusched.simulator.cycle;

import org.jspecify.annotations.NullMarked;
