/**
 * elastic-gpu: core and memory of one GPU, or whole GPUs. Start with
 * {@link io.gpusched.dialect.elasticgpu.ElasticGpuDialect}.
 *
 * <pre>{@code
 * ElasticGpuDialect elastic = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
 * Node node = elastic.node(NodeManifest.of("n1", Map.of(), Map.of(ElasticGpuDialect.CORE, "400", ElasticGpuDialect.MEMORY, "64000")));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of(ElasticGpuDialect.CORE, "30", ElasticGpuDialect.MEMORY, "4000"))));
 * Decision decision = DialectScheduler.of(elastic).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.elasticgpu;

import org.jspecify.annotations.NullMarked;
