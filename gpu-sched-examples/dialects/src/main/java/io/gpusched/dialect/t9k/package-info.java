/**
 * T9k Scheduler of TensorStack: whole GPUs, percentages of one GPU's memory, and whole nodes. Start with
 * {@link io.gpusched.dialect.t9k.T9kDialect}; {@link io.gpusched.dialect.t9k.T9kPodGroup} says when a gang may start.
 *
 * <pre>{@code
 * T9kDialect t9k = T9kDialect.of();
 * Node node = t9k.node(NodeManifest.of("n1", Map.of(T9kDialect.NODE_ALLOC_MODE, "sgn", "nvidia.com/gpu.count", "8"), Map.of()));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of(T9kDialect.GPU_PERCENT, "30"))));
 * Decision decision = DialectScheduler.of(t9k).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.t9k;

import org.jspecify.annotations.NullMarked;
