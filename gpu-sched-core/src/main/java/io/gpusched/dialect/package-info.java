/**
 * The vocabularies of real systems as pure translations: resource maps, labels and annotations into nodes and requests,
 * and grants back into the environment variables and annotations that the system would write.
 *
 * <p>Begin at {@link io.gpusched.dialect.Dialect}:
 *
 * <pre>{@code
 * Node translated = dialect.node(nodeManifest);
 * Pod request = dialect.pod(podManifest);
 * Decision decision = dialect.schedule(cluster, podManifest);
 * if (decision instanceof Placed placed) {
 *     System.out.println(dialect.write(podManifest, translated, placed.placement()));
 * }
 * }</pre>
 *
 * <p>A dialect holds no search of its own. It translates to {@link io.gpusched.workload.GpuRequest requests} and
 * {@link io.gpusched.model.NodeMode node modes}, names the order in which its system looks at GPUs and nodes
 * ({@link io.gpusched.dialect.ScanRule}), and where that order finds nothing the scheduler's exact search decides: a
 * dialect never refuses a pod that fits. What a system's own rules forbid is a
 * {@link io.gpusched.dialect.RefusedException} that states the rule.
 *
 * <p>Where a system is known to do something harmful (truncating 250 percent to two GPUs, ignoring a request), the
 * dialect does the right thing and says so in its Javadoc. Nothing here reads a file, a clock or the environment.
 */
@NullMarked
package io.gpusched.dialect;

import org.jspecify.annotations.NullMarked;
