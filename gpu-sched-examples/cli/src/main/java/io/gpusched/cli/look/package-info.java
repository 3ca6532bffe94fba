/**
 * Commands that look at a cluster and change nothing: the one that KUBECONFIG names, or what kubectl printed of it. {@link
 * io.gpusched.cli.look.ClusterSource} reads it, {@link io.gpusched.manifests.cluster.SeenCluster} is what was read, in the library's terms.
 */
@NullMarked
package io.gpusched.cli.look;

import org.jspecify.annotations.NullMarked;
