package io.gpusched.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole process per operation, in nanoseconds: the benchmark's thread, and what the garbage collector and
 * the compiler do for it. On a machine that others use too, this says more than the time on the clock.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    /** The label of the secondary result. */
    public static final String LABEL = "cpu";

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long start;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        start = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long spent = system.getProcessCpuTime() - start;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult(LABEL, (double) spent / operations, "ns/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "CPU time of the process per operation";
    }
}
