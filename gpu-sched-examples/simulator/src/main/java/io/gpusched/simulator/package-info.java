/**
 * Plays workloads against policies and measures what is allocated and what is fragmented. Begin at
 * {@link io.gpusched.simulator.Experiment}; {@link io.gpusched.simulator.trace} reads and generates workloads,
 * {@link io.gpusched.simulator.replay.Replay} plays them by their own times.
 *
 * <pre>{@code
 * Workload workload = GeneratedWorkload.of(1);
 * List<ArrivalSequence> arrivals = List.of(ArrivalSequence.shuffled(workload, 1, 1.0));
 * NamedPolicy mine = new NamedPolicy("mine", (w, order, mix) -> new SchedulerPlacer(GpuScheduler.of(policy)));
 * List<RunResult> results = new Experiment(workload, arrivals, List.of(mine)).run(1, RunListener.NONE);
 * double percent = PolicySummary.of(results).get(0).allocatedPercent(100).mean();
 * }</pre>
 */
@NullMarked
package io.gpusched.simulator;

import org.jspecify.annotations.NullMarked;
