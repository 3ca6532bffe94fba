/**
 * What can be said of a snapshot without placing anything: pure functions of clusters, requests and profiles.
 *
 * <p>Begin at {@link io.gpusched.analysis.Headroom}, which counts how many more pods of a kind fit:
 *
 * <pre>{@code
 * long more = Headroom.of(cluster, pod).pods();
 * Map<String, Long> byNode = Headroom.of(cluster, pod).byNode();
 * String oneMore = Headroom.whyNoMore(cluster, pod).remedy().toString();
 * List<Placement> moves = Drain.of(cluster, List.of("n1")).moves();
 * List<String> removable = ScaleDown.of(cluster).nodes();
 * List<Move> repair = Repair.plan(cluster, "n1", 0, MoveLimits.NONE).moves();
 * List<Move> defragmentation = Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), MoveLimits.of(20)).moves();
 * WorkloadProfile profile = WorkloadProfile.of(pastPods);
 * double wasted = Fragmentation.of(cluster, profile).ratio();
 * }</pre>
 *
 * <p>Results are for people and reports; ratios are {@code double}. No result decides whether something fits.
 */
@NullMarked
package io.gpusched.analysis;

import org.jspecify.annotations.NullMarked;
