package io.gpusched.decision;

import io.gpusched.check.Checks;
import java.util.List;

/**
 * The least that would have to be freed, changed or added for a request to fit: all of these changes together.
 *
 * @param changes what has to change; empty if nothing would help
 * @param nodes what nodes could be added instead, whatever runs; empty if no new node is certain to help, and for less wanted
 *     alternatives of a group
 */
public record Remedy(List<Change> changes, List<Change.AddNodes> nodes) {
    /** Nothing helps. */
    public static final Remedy NONE = new Remedy(List.of());

    /** Copies the lists. */
    public Remedy {
        changes = Checks.list("changes", changes);
        nodes = Checks.list("nodes", nodes);
    }

    /** A remedy that adding nodes cannot replace. */
    public Remedy(List<Change> changes) {
        this(changes, List.of());
    }

    /** Returns the changes in words, of many the first eight; empty if there are none. */
    @Override
    public String toString() {
        return Words.joined(changes, " and ");
    }
}
