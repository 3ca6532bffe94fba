/**
 * The scheduler as a process: leadership, the thread that decides, what it is told and what it writes, health and metrics.
 *
 * <p>{@link io.gpusched.kubernetes.process.SchedulerProcess} is the entry; it runs within any program that has a
 * client:
 *
 * <pre>{@code
 * SchedulerSettings settings = SchedulerSettings.of(List.of(Dialects.find("t9k").orElseThrow()));
 * try (SchedulerProcess scheduler = SchedulerProcess.start(client, settings)) {
 *     System.out.println(scheduler.view().cluster());
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.process;

import org.jspecify.annotations.NullMarked;
