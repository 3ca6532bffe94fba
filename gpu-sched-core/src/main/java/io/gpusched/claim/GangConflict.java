package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why the pods of a gang cannot all run at once.
 *
 * @param pods names of pods that cannot run together; all others could be left out. Empty if the limit of steps was reached before
 *     any were found
 * @param isSmallest whether no smaller set of pods conflicts; false if the limit of steps was reached
 * @param obstacles what is in the way of these pods: without any one of these they could run. Empty if only several things
 *     together are in the way
 */
public record GangConflict(List<String> pods, boolean isSmallest, List<ClaimObstacle> obstacles) {
    /** Copies the lists. */
    public GangConflict {
        pods = Checks.list("pods", pods);
        obstacles = Checks.list("obstacles", obstacles);
    }

    /** Returns the conflict in words. */
    @Override
    public String toString() {
        if (pods.isEmpty()) {
            return "the pods cannot run together; the limit of steps was reached before a cause was found";
        }
        String what = pods.size() == 1
                ? "the claims of pod " + pods.get(0) + " cannot be served on any node"
                : "the claims of pods " + String.join(", ", pods) + " cannot be served together";
        String why = obstacles.stream().map(Object::toString).collect(Collectors.joining("; or "));
        return what + (why.isEmpty() ? "" : ": " + why);
    }
}
