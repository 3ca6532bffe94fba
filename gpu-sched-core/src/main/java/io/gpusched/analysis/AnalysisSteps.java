package io.gpusched.analysis;

import io.gpusched.decision.Certainty;
import io.gpusched.schedule.Decided;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;

/** Counts the steps of the decisions of an analysis, and ends it when there are too many. Not thread-safe. */
final class AnalysisSteps {
    /** The budget of an analysis that is not told otherwise. */
    static final SearchBudget DEFAULT = SearchBudget.ofSteps(200_000_000);

    /** What a decision about a pod takes besides its search. */
    private static final long PER_POD = 500;

    private long left;
    private boolean isProven = true;

    AnalysisSteps(SearchBudget budget) {
        left = budget.steps();
    }

    /** Returns a scheduler like this one whose decisions are counted. */
    GpuScheduler count(GpuScheduler scheduler) {
        return scheduler.toBuilder().listener(this::heard).build();
    }

    private void heard(Decided decided) {
        take(PER_POD * (1 + decided.pods()) + decided.steps());
        isProven &= decided.certainty() != Certainty.LIMIT;
    }

    /** Whether each refusal was proven. */
    boolean isProven() {
        return isProven;
    }

    void take(long steps) {
        left -= steps;
    }

    boolean areLeft() {
        return left > 0;
    }

    Extent extent() {
        return areLeft() ? Extent.COMPLETE : Extent.BUDGET_ENDED;
    }
}
