/**
 * JMH benchmarks, one class per question, and the command that runs them.
 *
 * <p>Every benchmark churns its state: a decision is applied and a random running pod is released, so that no two
 * operations see the same cluster. Heaps are pinned and touched before the run ({@link io.gpusched.bench.BenchMain}).
 */
package io.gpusched.bench;
