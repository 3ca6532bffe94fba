package io.gpusched.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * CPU time of the process per operation, in nanoseconds: the benchmark's threads and the garbage collector's. On a machine
 * that others use too, this says more than the time on the clock. What the just-in-time compiler takes does not count on
 * Linux, because it ends after a while; elsewhere it cannot be told apart.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    /** The label of the secondary result. */
    public static final String LABEL = "cpu";

    private static final Path THREADS = Path.of("/proc/self/task");

    /** Nanoseconds of a tick of the kernel's accounts, which are kept in hundredths of a second on every platform. */
    private static final long TICK = 10_000_000;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long start;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        start = system.getProcessCpuTime() - compilerTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long spent = system.getProcessCpuTime() - compilerTime() - start;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult(LABEL, (double) spent / operations, "ns/op", AggregationPolicy.AVG));
    }

    private static long compilerTime() {
        if (!Files.isDirectory(THREADS)) {
            return 0;
        }
        long ticks = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                ticks += compilerTicks(Files.readString(thread.resolve("stat")));
            }
        } catch (IOException e) {
            return ticks * TICK; // a thread ended while we looked
        }
        return ticks * TICK;
    }

    /** User and system time of a line like {@code 7 (C2 CompilerThre) R ...}: the 14th and 15th field. */
    private static long compilerTicks(String stat) {
        int name = stat.indexOf("CompilerThre)");
        if (name < 0) {
            return 0;
        }
        String[] fields = stat.substring(stat.indexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    @Override
    public String getDescription() {
        return "CPU time of the process per operation, without the compiler";
    }
}
