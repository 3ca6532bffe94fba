package io.gpusched.schedule;

import io.gpusched.decision.Certainty;
import java.util.Objects;

/**
 * What a scheduler tells a listener of one decision, for metrics.
 *
 * @param subject what was decided, such as {@code pod "trainer-0"}
 * @param pods how many pods it was about
 * @param isPlaced whether a place was found
 * @param steps how many steps of the budget it took; most decisions take none
 */
public record Decided(String subject, int pods, boolean isPlaced, Certainty certainty, long steps) {
    /** Checks that nothing is missing. */
    public Decided {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(certainty, "certainty");
    }
}
