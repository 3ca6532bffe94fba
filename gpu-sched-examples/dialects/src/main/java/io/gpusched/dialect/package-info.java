/**
 * The vocabularies of real systems as pure translations: resource maps, labels and annotations into nodes and requests,
 * and grants back into the environment variables and annotations that the system would write. One package below this one
 * for each system; here is what they share.
 *
 * <p>Begin at {@link io.gpusched.dialect.DialectScheduler} and {@link io.gpusched.dialect.Dialect}:
 *
 * <pre>{@code
 * Node translated = dialect.node(nodeManifest);
 * Pod request = dialect.pod(podManifest);
 * Decision decision = DialectScheduler.of(dialect).schedule(cluster, podManifest);
 * if (decision instanceof Placed placed) {
 *     System.out.println(dialect.write(podManifest, translated, placed.placement()));
 * }
 * }</pre>
 *
 * <p>A dialect holds no search of its own. It translates to {@link io.gpusched.workload.GpuRequest requests} and
 * {@link io.gpusched.model.NodeMode node modes}, and names its system's way to choose among what fits as a
 * {@link io.gpusched.policy.PlacementPolicy policy} that the one scheduler runs: where the system's own way succeeds the
 * answer is the same, and where it gives up though there is room, the pod is placed. What a system's own rules forbid is a
 * {@link io.gpusched.dialect.RefusedException} that states the rule.
 *
 * <p>Where a system is known to do something harmful (truncating 250 percent to two GPUs, ignoring a request), the
 * dialect does the right thing and says so in its Javadoc. Nothing here reads a file, a clock or the environment.
 *
 * <pre>{@code
 * Dialect dialect = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
 * DialectScheduler scheduler = DialectScheduler.of(dialect);
 * Cluster cluster = Cluster.of(List.of(dialect.node(nodeManifest)));
 * if (scheduler.schedule(cluster, podManifest) instanceof Placed placed) {
 *     Node node = cluster.node(placed.placement().node()).orElseThrow().node();
 *     BindingMetadata written = dialect.write(podManifest, node, placed.placement());
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect;

import org.jspecify.annotations.NullMarked;
