/**
 * Kubernetes device plugins: whole devices of any vendor ({@link io.gpusched.dialect.nvidia.DevicePluginDialect}), and
 * NVIDIA's GPUs shared by time slicing or mps ({@link io.gpusched.dialect.nvidia.NvidiaSharingDialect}).
 *
 * <pre>{@code
 * DevicePluginDialect plugin = DevicePluginDialect.of("nvidia.com/gpu");
 * Node node = plugin.node(NodeManifest.of("n1", Map.of(), Map.of("nvidia.com/gpu", "8")));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of("nvidia.com/gpu", "2"))));
 * Decision decision = DialectScheduler.of(plugin).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.nvidia;

import org.jspecify.annotations.NullMarked;
