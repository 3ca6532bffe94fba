package io.gpusched.decision;

import io.gpusched.internal.check.Checks;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The least that would have to be freed, changed or added for a request to fit: all of these changes together.
 *
 * @param changes what has to change; empty if nothing would help
 */
public record Remedy(List<Change> changes) {
    private static final int MOST_IN_WORDS = 8;

    /** Copies the list. */
    public Remedy {
        changes = Checks.list("changes", changes);
    }

    /** Returns the remedy in words, of many changes the first eight; empty if there is none. */
    @Override
    public String toString() {
        int more = changes.size() - MOST_IN_WORDS;
        return changes.stream().limit(MOST_IN_WORDS).map(Change::toString).collect(Collectors.joining(" and "))
                + (more > 0 ? " and " + more + " more change" + (more == 1 ? "" : "s") : "");
    }
}
