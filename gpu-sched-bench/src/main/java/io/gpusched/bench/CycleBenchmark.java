package io.gpusched.bench;

import io.gpusched.bench.load.CycleShape;
import io.gpusched.decision.Plan;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
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
    private static final long TIME = 1_000;

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
        "LARGE",
        "LARGE_FULL"
    })
    public CycleShape shape;

    private final SchedulingCycle cycle = SchedulingCycle.create();
    private CycleState first;
    private CycleState next;
    private int round;

    /** Makes the state, and checks what is planned for it. */
    @Setup
    public void setUp() {
        first = shape.state();
        Plan plan = cycle.plan(first, TIME);
        shape.check(plan);
        next = plan.after();
    }

    /** A hundredth of the jobs changes from one cycle to the next. */
    @Setup(Level.Invocation)
    public void change() {
        round++;
        next = CycleShape.next(next, round);
    }

    /** The first cycle of a new instance, which has to read everything. */
    @Benchmark
    public Plan first() {
        return SchedulingCycle.create().plan(first, TIME);
    }

    /** A cycle after one that differs by a hundredth of the jobs. */
    @Benchmark
    public Plan changed() {
        Plan plan = cycle.plan(next, TIME + round);
        next = plan.after();
        return plan;
    }
}
