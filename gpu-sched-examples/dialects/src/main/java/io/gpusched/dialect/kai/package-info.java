/**
 * KAI-Scheduler: whole GPUs by a device plugin, and parts of one by annotations. Start with {@link
 * io.gpusched.dialect.kai.KaiDialect}.
 *
 * <pre>{@code
 * KaiDialect kai = KaiDialect.of();
 * Node node = kai.node(NodeManifest.of("n1", Map.of(), Map.of("nvidia.com/gpu", "4")));
 * PodManifest half = PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of(KaiDialect.PART, "1"))))
 *         .withAnnotations(Map.of(KaiDialect.FRACTION, "0.5"));
 * Decision decision = DialectScheduler.of(kai).schedule(Cluster.of(List.of(node)), half);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.kai;

import org.jspecify.annotations.NullMarked;
