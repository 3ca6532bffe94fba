/**
 * Questions about the size of a cluster: a job list is replayed on other clusters, or on larger ones until its waits are short enough.
 *
 * <pre>{@code
 * CapacityStudy study = new CapacityStudy(scenario, ReplaySettings.DEFAULT, "bin-pack", Resampling.NONE);
 * ClusterResult now = study.play("now", nodes, threads);
 * SizeSearch.Answer answer = SizeSearch.of(study, nodes, new NodeKind("8xH100"), 64, Goal.parse("mean wait < 10m"), threads);
 * }</pre>
 */
@NullMarked
package io.gpusched.simulator.capacity;

import org.jspecify.annotations.NullMarked;
