package io.gpusched.bench;

import io.gpusched.bench.load.CycleShape;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
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

/** How long does one cycle take that decides among many jobs in queues? The shapes are those of KAI-Scheduler's and Kubernetes' benchmarks. */
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
        "LARGE_FULL",
        "HERO_100",
        "HERO_1000",
        "HERO_4900",
        "HERO_SPARSE",
        "HERO_REFUSED"
    })
    public CycleShape shape;

    private QueueState state;

    /** Makes the state, and checks what is planned for it. */
    @Setup
    public void setUp() {
        state = shape.state();
        shape.check(SchedulingCycle.create().plan(state, TIME));
    }

    /** An instance that has planned for those who run, before the others come. */
    @State(Scope.Thread)
    public static class Knowing {
        private final SchedulingCycle cycle = SchedulingCycle.create();
        private QueueState all;
        private QueueState running;

        /** Takes out the jobs that wait. */
        @Setup(Level.Trial)
        public void setUp(CycleBenchmark benchmark) {
            all = benchmark.state;
            running = all.withJobs(all.jobs().stream().filter(Job::isRunning).toList());
        }

        /** Nobody waits. */
        @Setup(Level.Invocation)
        public void plan() {
            cycle.plan(running, TIME);
        }
    }

    /** A hundredth of the jobs changes from one cycle to the next. */
    @State(Scope.Thread)
    public static class Changing {
        private final SchedulingCycle cycle = SchedulingCycle.create();
        private QueueState next;
        private int round;

        /** Begins with the state. */
        @Setup(Level.Trial)
        public void setUp(CycleBenchmark benchmark) {
            next = cycle.plan(benchmark.state, TIME).after();
        }

        /** Goes on. */
        @Setup(Level.Invocation)
        public void change() {
            round++;
            next = CycleShape.next(next, round);
        }
    }

    /** The first cycle of a new instance, which has to read everything. */
    @Benchmark
    public Plan first() {
        return SchedulingCycle.create().plan(state, TIME);
    }

    /** The first cycle for the jobs that wait, by an instance that knows those that run. */
    @Benchmark
    public Plan arrived(Knowing knowing) {
        return knowing.cycle.plan(knowing.all, TIME);
    }

    /** A cycle after one that differs by a hundredth of the jobs. */
    @Benchmark
    public Plan changed(Changing changing) {
        Plan plan = changing.cycle.plan(changing.next, TIME + changing.round);
        changing.next = plan.after();
        return plan;
    }
}
