package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.Objects;

/**
 * A preference for nodes with certain labels: Kubernetes' preferred node affinity.
 *
 * @param weight how much it counts, 1..100
 * @param term which nodes
 */
public record NodePreference(int weight, NodeSelector.Term term) {
    /**
     * Checks the weight.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public NodePreference {
        Checks.inRange("preferred node affinity", "weight", weight, 1, 100);
        Objects.requireNonNull(term, "term");
    }
}
