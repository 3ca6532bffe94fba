/**
 * What exists and what runs: an immutable snapshot of nodes and devices, of what each pod holds, and of what is free.
 *
 * <p>Begin at {@link io.gpusched.model.Cluster}:
 *
 * <pre>{@code
 * GpuModel a100 = GpuModel.of("nvidia", "A100", 81_920);
 * Node node = Node.builder("n1").capacity(96_000, 786_432).gpus(8, a100).build();
 * Cluster before = Cluster.of(List.of(node));
 * Cluster after = before.with(placement); // before stays as it was
 * int idle = after.totals().idleGpus();
 * Cluster again = after.without(placement.pod());
 * }</pre>
 *
 * <p>Everything here is a value. Methods that change something return a new value and leave the old one as it was, so
 * any snapshot may be kept, compared and shared between threads. A change that does not fit throws a
 * {@link io.gpusched.model.PlacementConflictException} and applies nothing. Passing {@code null} to any method throws
 * {@link java.lang.NullPointerException} with the name of the parameter, in all packages. Amounts are integers: CPU and compute in milli, memory in MiB.
 */
@NullMarked
package io.gpusched.model;

import org.jspecify.annotations.NullMarked;
