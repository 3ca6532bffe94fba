/**
 * GaiaGPU (tkestack gpu-admission): core and blocks of memory. Start with {@link io.gpusched.dialect.gaia.GaiaGpuDialect}.
 *
 * <pre>{@code
 * GaiaGpuDialect gaia = GaiaGpuDialect.of();
 * Node node = gaia.node(NodeManifest.of("n1", Map.of(), Map.of(GaiaGpuDialect.CORE, "400", GaiaGpuDialect.MEMORY, "256")));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of(GaiaGpuDialect.CORE, "30", GaiaGpuDialect.MEMORY, "16"))));
 * Decision decision = DialectScheduler.of(gaia).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.gaia;

import org.jspecify.annotations.NullMarked;
