package io.gpusched.race;

import io.gpusched.model.Cluster;
import io.gpusched.policy.LookAhead;
import io.gpusched.schedule.GpuScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads ask one policy that remembers what it works out, a scheduler for each. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both threads see what one alone sees.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A thread sees something else.")
@State
public class SharedPolicy {
    private static final String ALONE = Races.decisions(GpuScheduler.of(Races.freshPolicy()), Races.freshCluster());

    private final Cluster cluster = Races.freshCluster();
    private final LookAhead policy = Races.freshPolicy();

    /** The one thread. */
    @Actor
    public void one(II_Result result) {
        result.r1 = Races.verdict(Races.decisions(GpuScheduler.of(policy), cluster), ALONE);
    }

    /** The other thread. */
    @Actor
    public void other(II_Result result) {
        result.r2 = Races.verdict(Races.decisions(GpuScheduler.of(policy), cluster), ALONE);
    }
}
