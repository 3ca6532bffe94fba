/**
 * Queues of jobs: which start, which move, which leave. A room of its own above the scheduler, built on exported packages alone.
 *
 * <p>Begin at {@link io.gpusched.queue.SchedulingCycle}:
 *
 * <pre>{@code
 * JobQueue team = JobQueue.builder("team").quota(QueueResource.GPU, Quota.ofGpus(8)).build();
 * Job job = Job.pending(JobSpec.builder(PodGroup.of("training", List.of(pod)), "team").priority(50).build());
 * QueueState state = QueueState.of(cluster, QueueTree.of(List.of(team)), List.of(job));
 * Plan plan = SchedulingCycle.create().plan(state, 1_000);
 * List<PlanStep.Bind> started = plan.bindings();
 * Optional<PendingReason> why = plan.reason("training");
 * }</pre>
 *
 * <p>Amounts are in the unit of their {@link io.gpusched.queue.QueueResource}; times are numbers of the caller's clock. Values are immutable
 * and thread-safe; null is never accepted.
 */
@NullMarked
package io.gpusched.queue;

import org.jspecify.annotations.NullMarked;
