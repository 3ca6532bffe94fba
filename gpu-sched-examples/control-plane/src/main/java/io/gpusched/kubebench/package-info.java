/**
 * Schedulers side by side on one real API server: the same nodes, the same pods, each scheduler a process of its own, one after
 * the other.
 *
 * <pre>{@code
 * KubeBench bench = new KubeBench(plane, BenchSettings.DEFAULT, System.err::println);
 * bench.createNodes();
 * Measurement measured = bench.measure(BenchShape.parse("gangs:1000x3"), Contender.KUBE_SCHEDULER);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubebench;

import org.jspecify.annotations.NullMarked;
