package io.gpusched.race;

import io.gpusched.decision.Unschedulable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads ask one refusal for its diagnosis, which is worked out when it is first asked for. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both threads see what one alone sees.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A thread sees something else.")
@State
public class SharedRefusal {
    private static final String ALONE = Races.refusal().diagnosis().toString();

    private final Unschedulable refusal = Races.refusal();

    /** The one thread. */
    @Actor
    public void one(II_Result result) {
        result.r1 = Races.verdict(refusal.diagnosis().toString(), ALONE);
    }

    /** The other thread. */
    @Actor
    public void other(II_Result result) {
        result.r2 = Races.verdict(refusal.diagnosis().toString(), ALONE);
    }
}
