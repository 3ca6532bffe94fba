package io.gpusched.bench;

import io.gpusched.bench.load.Refusals;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A request in a nearly full cluster that has no room for it. See {@link Refusals} for what each request lacks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public abstract class RefusedRequest {
    /** What is asked. */
    @Param({"exclusive8", "wholeNode", "share", "cpu", "cpuOrMemory", "terms"})
    public String request;

    /** How many nodes. */
    @Param({"1000", "10000", "100000"})
    public int nodes;

    /** Asks, once the cluster is full. */
    Refusals refusals;

    /** Fills the cluster. */
    @Setup(Level.Trial)
    public void fill() {
        refusals = Refusals.named(request, nodes);
    }
}
