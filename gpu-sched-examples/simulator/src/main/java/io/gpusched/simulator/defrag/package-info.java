/**
 * How many whole nodes are gained by moving running pods, on snapshots of a workload whose pods come and go.
 *
 * <pre>{@code
 * List<Cluster> snapshots = DefragExperiment.snapshots(workload, 0.8, List.of(1L, 2L), threads);
 * List<DefragRow> rows = DefragExperiment.play(snapshots, 200, threads);
 * }</pre>
 */
@NullMarked
package io.gpusched.simulator.defrag;

import org.jspecify.annotations.NullMarked;
