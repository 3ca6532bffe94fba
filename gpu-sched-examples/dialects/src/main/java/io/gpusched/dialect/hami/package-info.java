/**
 * HAMi: parts of several GPUs by memory and compute, with selectors and policies in annotations. Start with
 * {@link io.gpusched.dialect.hami.HamiDialect}.
 *
 * <pre>{@code
 * HamiDialect hami = HamiDialect.of(HamiSettings.DEFAULT);
 * Node node = hami.node(nodeManifest); // reads the annotation hami.io/node-nvidia-register
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "4000"))));
 * Decision decision = DialectScheduler.of(hami).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.hami;

import org.jspecify.annotations.NullMarked;
