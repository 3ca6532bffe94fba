package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why claims cannot all be had.
 *
 * @param requests requests that cannot be served together, as {@code claim/request}; all others could be left out. Empty if the
 *     limit of steps was reached before any were found
 * @param isSmallest whether no smaller set of requests conflicts; false if the limit of steps was reached
 * @param obstacles what is in the way of these requests: without any one of these they could be served. Empty if only several
 *     things together are in the way
 */
public record ClaimConflict(List<String> requests, boolean isSmallest, List<ClaimObstacle> obstacles) {
    /** Copies the lists. */
    public ClaimConflict {
        requests = Checks.list("requests", requests);
        obstacles = Checks.list("obstacles", obstacles);
    }

    /** Returns the conflict in words. */
    @Override
    public String toString() {
        if (requests.isEmpty()) {
            return "the claims cannot be served together; the limit of steps was reached before a cause was found";
        }
        String what = requests.size() == 1
                ? "request " + requests.get(0) + " cannot be served"
                : "requests " + String.join(", ", requests) + " cannot be served together";
        String why = obstacles.stream().map(Object::toString).collect(Collectors.joining("; or "));
        return what + (why.isEmpty() ? "" : ": " + why);
    }
}
