package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import java.util.function.Predicate;

/**
 * Shares the steps of a diagnosis among the nodes on which containers have to be laid out: each may take an eighth of what is left.
 * The first two hundred have a few even if nothing is left, so that nodes that are hard do not keep others from being looked at; the
 * rest then are not looked at, which bounds the whole. Not thread-safe.
 */
final class LayoutSteps {
    private static final long LEAST = 500;
    private static final int MOST_WITH_LEAST = 200;

    private static final long STEPS_PER_CONTAINER = 8;

    private final SearchSteps steps;

    /** What it takes to set up the search on one node. */
    private final long perNode;

    private int looks;

    /** What a search within steps found. */
    enum Answer {
        YES,
        NO,
        /** The steps do not tell. */
        UNKNOWN
    }

    LayoutSteps(SearchSteps steps, PodDemand demand) {
        this.steps = steps;
        this.perNode = STEPS_PER_CONTAINER * demand.gpuContainers().size();
    }

    /** Asks a search whether there is a layout. */
    Answer fits(Predicate<SearchSteps> search) {
        long allowed = Math.max(steps.left() / 8, looks++ < MOST_WITH_LEAST ? LEAST : 0);
        if (allowed == 0) {
            return Answer.UNKNOWN;
        }
        SearchSteps mine = SearchSteps.of(allowed);
        boolean fits = search.test(mine);
        steps.spend(allowed, mine);
        steps.take(perNode);
        return fits ? Answer.YES : mine.isReached() ? Answer.UNKNOWN : Answer.NO;
    }
}
