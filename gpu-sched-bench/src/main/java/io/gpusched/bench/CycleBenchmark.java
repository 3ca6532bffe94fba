package io.gpusched.bench;

import io.gpusched.bench.load.CycleShape;
import io.gpusched.decision.Plan;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How long does one cycle take that decides among many jobs in queues? The shapes are those of KAI-Scheduler's benchmarks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CycleBenchmark {
    /** What is measured. */
    @Param({
        "ALLOCATE",
        "GANG4",
        "GANG4_SMALL",
        "RECLAIM_LARGE",
        "PREEMPT",
        "CONSOLIDATE",
        "REFUSE_ONE_GPU",
        "REFUSE_NO_QUOTA",
        "RECLAIM_MANY",
        "LARGE"
    })
    public CycleShape shape;

    private final SchedulingCycle cycle = SchedulingCycle.create();
    private CycleState state;

    /** Makes the state, and checks what is planned for it. */
    @Setup
    public void setUp() {
        state = shape.state();
        shape.check(cycle.plan(state, 1_000));
    }

    /** One cycle. */
    @Benchmark
    public Plan plan() {
        return cycle.plan(state, 1_000);
    }
}
