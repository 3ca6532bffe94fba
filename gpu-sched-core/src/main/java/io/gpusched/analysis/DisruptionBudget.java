package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.PodId;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many of some pods may be away at one time, as a PodDisruptionBudget of Kubernetes says. Moves of a plan are made one after the
 * other, each pod running again before the next leaves; so one that allows 1 lets all its pods move one by one, and one that allows 0
 * none.
 *
 * @param name what it is called, for messages
 * @param pods the pods it protects
 * @param allowed how many of them may be away at one time, now; at least 0
 */
public record DisruptionBudget(String name, Set<PodId> pods, int allowed) {
    /**
     * Copies the set and checks the number.
     *
     * @throws IllegalArgumentException if the name is blank or the number negative
     */
    public DisruptionBudget {
        Checks.notBlank("disruption budget", "name", name);
        Checks.noNulls("pods", pods);
        Checks.inRange("disruption budget \"" + name + "\"", "allowed", allowed, 0, Integer.MAX_VALUE);
        pods = Collections.unmodifiableSet(new TreeSet<>(pods));
    }
}
