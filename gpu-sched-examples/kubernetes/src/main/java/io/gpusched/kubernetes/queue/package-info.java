/**
 * The order in which pods and groups are tried, and when those that found no place are tried again: not by a poll, but when
 * something changed that could help them, and never sooner than a delay that doubles each time.
 *
 * <pre>{@code
 * SchedulingQueue<PodId> queue = new SchedulingQueue<>(Backoff.DEFAULT);
 * queue.put(pod, new Rank(0, created, "default/p"));
 * Optional<PodId> next = queue.poll(now);
 * queue.park(next.get(), now);
 * queue.wake(now, pod -> fitsByNow(pod));
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.queue;

import org.jspecify.annotations.NullMarked;
