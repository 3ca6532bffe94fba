/**
 * A cluster from Kubernetes objects, whichever scheduler runs there. {@link
 * io.gpusched.manifests.cluster.SeenCluster} is the way in:
 *
 * <pre>{@code
 * SeenCluster seen = SeenCluster.of(ClusterObjects.read(Path.of("cluster.json"))); // kubectl get nodes,pods -A -o json
 * seen.notes().forEach(System.err::println);                    // what could not be honoured
 * Headroom room = Headroom.of(seen.cluster(), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.cluster;

import org.jspecify.annotations.NullMarked;
