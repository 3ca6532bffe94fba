package io.gpusched.race;

import io.gpusched.model.Cluster;
import io.gpusched.schedule.GpuScheduler;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** One thread publishes a snapshot by a data race, without a lock or a volatile field; the other asks what it sees. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Nothing is published yet.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "What is published is whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A thread sees something else.")
@State
public class PublishedSnapshot {
    private static final String ALONE = Races.decisions(GpuScheduler.create(), Races.freshCluster());

    private @Nullable Cluster published;

    /** Publishes. */
    @Actor
    public void publish(II_Result result) {
        published = Races.freshCluster();
        result.r1 = 1;
    }

    /** Asks what is there, if anything is. */
    @Actor
    public void ask(II_Result result) {
        Cluster seen = published;
        result.r2 = seen == null ? 0 : Races.verdict(Races.decisions(GpuScheduler.create(), seen), ALONE);
    }
}
