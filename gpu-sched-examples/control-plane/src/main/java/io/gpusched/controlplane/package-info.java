/**
 * A real Kubernetes control plane on the loopback address, without kubelets and controllers: for tests and benchmarks.
 *
 * <pre>{@code
 * try (ControlPlane plane = ControlPlane.start(ControlPlane.programs().orElseThrow());
 *         KubernetesClient client = plane.client()) {
 *     ControlPlane.addReady(client, node);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.controlplane;

import org.jspecify.annotations.NullMarked;
