/**
 * Metrics of the library for Micrometer.
 *
 * <p>Begin at {@link io.gpusched.micrometer.DecisionMetrics} and {@link io.gpusched.micrometer.CycleMetrics}:
 *
 * <pre>{@code
 * GpuScheduler scheduler = GpuScheduler.builder().listener(new DecisionMetrics(registry)).build();
 * CycleMetrics metrics = new CycleMetrics(registry);
 * SchedulingCycle cycle = SchedulingCycle.of(settings, scheduler, metrics);
 * Plan plan = metrics.time(() -> cycle.plan(state, now));
 * new LeaseMetrics(machine).bindTo(registry);
 * }</pre>
 */
@NullMarked
package io.gpusched.micrometer;

import org.jspecify.annotations.NullMarked;
