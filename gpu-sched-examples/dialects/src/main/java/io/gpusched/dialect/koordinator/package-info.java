/**
 * Koordinator: parts of GPUs, of several alike and whole ones, by amounts of {@code koordinator.sh}. Start with {@link
 * io.gpusched.dialect.koordinator.KoordinatorDialect}.
 *
 * <pre>{@code
 * KoordinatorDialect koordinator = KoordinatorDialect.of(json); // a reader of JSON, for what running pods hold
 * Node node = koordinator.node(NodeManifest.of("n1", Map.of(), Map.of("koordinator.sh/gpu-core", "800")));
 * PodManifest half = PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of("koordinator.sh/gpu-core", "50"))));
 * Decision decision = DialectScheduler.of(koordinator).schedule(Cluster.of(List.of(node)), half);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.koordinator;

import org.jspecify.annotations.NullMarked;
