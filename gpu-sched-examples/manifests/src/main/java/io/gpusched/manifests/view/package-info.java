/**
 * What the API server says, as a snapshot of the cluster: nodes translated by the dialect that speaks for each, and what runs
 * on them read back from their annotations. Nothing here is remembered that the API server does not hold, but for placements
 * that are assumed until it does.
 *
 * <p>{@link io.gpusched.manifests.view.ClusterBook} is the entry:
 *
 * <pre>{@code
 * ClusterBook book = new ClusterBook(new DialectSet(List.of(Dialects.find("t9k").orElseThrow())));
 * book.putNode(node);
 * book.putPod(RunningPod.of(pod));
 * Cluster cluster = book.cluster();
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.view;

import org.jspecify.annotations.NullMarked;
