package io.gpusched.testkit;

import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a plan of queues. */
public final class PlanAssert extends AbstractAssert<PlanAssert, Plan> {
    PlanAssert(Plan actual) {
        super(actual, PlanAssert.class);
    }

    /** Fails unless pods of exactly these jobs start. */
    public PlanAssert starts(String... jobs) {
        isNotNull();
        return hasJobs(
                "starting", actual.bindings().stream().map(PlanStep.Bind::job).toList(), jobs);
    }

    /** Fails unless pods of exactly these jobs are evicted. */
    public PlanAssert evicts(String... jobs) {
        isNotNull();
        return hasJobs(
                "evicted", actual.evictions().stream().map(PlanStep.Evict::job).toList(), jobs);
    }

    private PlanAssert hasJobs(String what, Collection<String> found, String... jobs) {
        Set<String> expected = new TreeSet<>(List.of(jobs));
        if (!new TreeSet<>(found).equals(expected)) {
            failWithMessage("expected %s jobs %s, got <%s>", what, expected, actual);
        }
        return this;
    }

    /** Fails unless there is nothing to do. */
    public PlanAssert isEmpty() {
        isNotNull();
        if (!actual.isEmpty()) {
            failWithMessage("expected an empty plan, got <%s>", actual);
        }
        return this;
    }

    /** Fails unless the plan keeps every law that the checker knows, for the state, settings and time that it was made for. */
    public PlanAssert keepsEveryLaw(QueueState before, CycleSettings settings, long now) {
        isNotNull();
        List<Violation> broken = Verifier.ofTries(DecisionAssert.TRIES).check(before, settings, now, actual);
        if (!broken.isEmpty()) {
            failWithMessage("expected a plan that keeps every law, got <%s>, which breaks %s", actual, broken);
        }
        return this;
    }
}
