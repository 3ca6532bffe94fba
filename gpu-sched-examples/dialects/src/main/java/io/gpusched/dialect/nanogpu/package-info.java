/**
 * nano-gpu: percentages of one GPU. Start with {@link io.gpusched.dialect.nanogpu.NanoGpuDialect}.
 *
 * <pre>{@code
 * NanoGpuDialect nano = NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
 * Node node = nano.node(NodeManifest.of("n1", Map.of(), Map.of(NanoGpuDialect.PERCENT, "400")));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of(NanoGpuDialect.PERCENT, "40"))));
 * Decision decision = DialectScheduler.of(nano).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.nanogpu;

import org.jspecify.annotations.NullMarked;
