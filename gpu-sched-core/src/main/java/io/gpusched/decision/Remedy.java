package io.gpusched.decision;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The least that would have to be freed, changed or added for a request to fit: all of these changes together.
 *
 * @param changes what has to change; empty if nothing would help
 */
public record Remedy(List<Change> changes) {
    /** Copies the list. */
    public Remedy {
        Objects.requireNonNull(changes, "changes");
        changes = List.copyOf(changes);
    }

    /** Returns the remedy in words; empty if there is none. */
    @Override
    public String toString() {
        if (!changes.isEmpty() && changes.get(0).kind() == Change.Kind.ROOM_FOR_MORE_MEMBERS) {
            return changes.get(0) + "; for the first of them: " + new Remedy(changes.subList(1, changes.size()));
        }
        return changes.stream().map(Change::toString).collect(Collectors.joining(" and "));
    }
}
