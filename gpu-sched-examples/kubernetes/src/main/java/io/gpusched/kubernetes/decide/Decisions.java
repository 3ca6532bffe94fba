package io.gpusched.kubernetes.decide;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of a round of deciding.
 *
 * @param bindings who goes where, groups together
 * @param refusals who found no place
 * @param groups what was decided about groups
 */
public record Decisions(List<Binding> bindings, List<Refusal> refusals, List<GroupResult> groups) {
    /** An empty list of each, to be filled. */
    static Decisions empty() {
        return new Decisions(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /** Returns whether nothing was tried. */
    public boolean isEmpty() {
        return bindings.isEmpty() && refusals.isEmpty() && groups.isEmpty();
    }
}
