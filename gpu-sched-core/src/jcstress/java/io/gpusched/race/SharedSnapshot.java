package io.gpusched.race;

import io.gpusched.model.Cluster;
import io.gpusched.schedule.GpuScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads ask one snapshot that nobody has asked before, a scheduler for each. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both threads see what one alone sees.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A thread sees something else.")
@State
public class SharedSnapshot {
    private static final String ALONE = Races.decisions(GpuScheduler.create(), Races.freshCluster());

    private final Cluster cluster = Races.freshCluster();

    /** The one thread. */
    @Actor
    public void one(II_Result result) {
        result.r1 = Races.verdict(Races.decisions(GpuScheduler.create(), cluster), ALONE);
    }

    /** The other thread. */
    @Actor
    public void other(II_Result result) {
        result.r2 = Races.verdict(Races.decisions(GpuScheduler.create(), cluster), ALONE);
    }
}
