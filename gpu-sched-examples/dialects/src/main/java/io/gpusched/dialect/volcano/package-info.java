/**
 * Volcano's deviceshare plugin with vgpu. Start with {@link io.gpusched.dialect.volcano.VolcanoDialect}.
 *
 * <pre>{@code
 * VolcanoDialect volcano = VolcanoDialect.of(VolcanoPolicy.BINPACK);
 * Node node = volcano.node(nodeManifest); // reads the annotation volcano.sh/node-vgpu-register
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of("volcano.sh/vgpu-memory", "3000"))));
 * Decision decision = DialectScheduler.of(volcano).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.volcano;

import org.jspecify.annotations.NullMarked;
