package io.gpusched.kubernetes.decide;

import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.verify.Law;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges a plan before anything of it is written. A job with a step that breaks a law takes none of its steps, and no pod is evicted for it;
 * the other jobs of the plan go on. Where it cannot be told which job it is, no step of the plan is taken.
 */
final class PlanCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PlanCheck.class);

    private final Verifier verifier = Verifier.create();

    /** Returns the jobs that take no step, by name, with the laws that would be broken. */
    Map<String, String> stopped(QueueState before, CycleSettings settings, long now, Plan plan) {
        return stopped(violations(before, settings, now, plan), plan);
    }

    /** A checker that fails itself is no proof that the plan is right. */
    private List<Violation> violations(QueueState before, CycleSettings settings, long now, Plan plan) {
        try {
            return verifier.check(before, settings, now, plan);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the checker failed; the plan is not carried out");
            return List.of(new Violation(Law.STEP, "plan", "the checker failed: " + e, Map.of()));
        }
    }

    static Map<String, String> stopped(List<Violation> violations, Plan plan) {
        Map<String, String> stopped = new HashMap<>();
        for (Violation violation : violations) {
            LOG.atError().addKeyValue("violation", violation).log("a plan breaks a law");
            concerned(violation, plan)
                    .forEach(job -> stopped.merge(job, violation.toString(), (one, other) -> one + "; " + other));
        }
        return stopped;
    }

    private static Collection<String> concerned(Violation violation, Plan plan) {
        Set<String> jobs = new HashSet<>();
        boolean isKnown = false;
        for (PlanStep step : plan.steps()) {
            if (names(violation, step.job()) || names(violation, step.pod())) {
                isKnown = true;
                jobs.add(beneficiary(step));
                jobs.add(step.job());
            }
        }
        for (PendingJob waiting : plan.pending()) {
            isKnown |= names(violation, waiting.job());
        }
        return isKnown ? jobs : all(plan);
    }

    private static List<String> all(Plan plan) {
        List<String> jobs = new ArrayList<>();
        plan.steps().forEach(step -> jobs.add(beneficiary(step)));
        return jobs;
    }

    /** Whether it is about a job or a pod. */
    private static boolean names(Violation violation, Object what) {
        return violation.subject().contains("\"" + what + "\"");
    }

    /** Returns a plan without the steps that are taken for some jobs. */
    static Plan without(Plan plan, Set<String> jobs) {
        return jobs.isEmpty()
                ? plan
                : new Plan(
                        plan.steps().stream()
                                .filter(step -> !jobs.contains(beneficiary(step)))
                                .toList(),
                        plan.pending(),
                        plan.after());
    }

    /** The job for which a step is taken. */
    private static String beneficiary(PlanStep step) {
        return step instanceof PlanStep.Evict evict ? evict.beneficiary().orElse(evict.job()) : step.job();
    }
}
