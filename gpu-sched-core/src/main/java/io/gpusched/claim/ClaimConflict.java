package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Why claims cannot all be had, or pods of a gang cannot all run.
 *
 * @param kind what conflicts
 * @param names what cannot be served together: requests as {@code claim/request}, or names of pods; all others could be left out. Empty if
 *     the limit of steps was reached before any were found
 * @param isSmallest whether no smaller set conflicts; false if the limit of steps was reached
 * @param obstacles what is in the way of these: without any one of them they could be served. Empty if only several things together are
 *     in the way
 */
public record ClaimConflict(Kind kind, List<String> names, boolean isSmallest, List<ClaimObstacle> obstacles) {
    /** What conflicts. */
    public enum Kind {
        /** Requests of claims, on one node. */
        REQUESTS("request", ""),
        /** Claims of pods, on all nodes. */
        PODS("the claims of pod", " on any node");

        private final String word;
        private final String where;

        Kind(String word, String where) {
            this.word = word;
            this.where = where;
        }
    }

    /** Copies the lists. */
    public ClaimConflict {
        Objects.requireNonNull(kind, "kind");
        names = Checks.list("names", names);
        obstacles = Checks.list("obstacles", obstacles);
    }

    /** Returns the conflict in words. */
    @Override
    public String toString() {
        if (names.isEmpty()) {
            return "the claims cannot be served together; the limit of steps was reached before a cause was found";
        }
        String what = names.size() == 1
                ? kind.word + " " + names.get(0) + " cannot be served" + kind.where
                : kind.word + "s " + String.join(", ", names) + " cannot be served together";
        String why = obstacles.stream().map(Object::toString).collect(Collectors.joining("; or "));
        return what + (why.isEmpty() ? "" : ": " + why);
    }
}
