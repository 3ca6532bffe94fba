/**
 * The deciding side of the scheduler, without threads, clocks and network: changes go in, decisions to write come out. It
 * holds no rule of placement; it asks the library about one pod or group after the other, in the queue's order.
 *
 * <pre>{@code
 * SchedulerState state = new SchedulerState(dialects, Scope.of("gpu-sched"), Backoff.DEFAULT, 600_000, Clock.systemUTC());
 * state.apply(new Change.PodPut(pod), now);
 * Decisions decisions = state.decide(now, 100);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.decide;

import org.jspecify.annotations.NullMarked;
