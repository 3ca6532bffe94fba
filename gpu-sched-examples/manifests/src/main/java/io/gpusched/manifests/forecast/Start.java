package io.gpusched.manifests.forecast;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When what was asked starts, as far as that is known.
 *
 * @param certainty how certain that is
 * @param at when; empty if it is unknown
 * @param nodes where, each once
 * @param reason what it waits for, or why the start is unknown; empty if there is nothing to say
 */
public record Start(Certainty certainty, Optional<Instant> at, List<String> nodes, String reason) {
    /** How certain a start is. */
    public enum Certainty {
        /** It has its place. */
        NOW,
        /** At the latest: every pod that has to end before has a limit. */
        BOUND,
        /** It rests on an expected run time, or on one that is exceeded. */
        ESTIMATE,
        /** A pod in its way has no known end. */
        UNKNOWN
    }

    /** Returns that it has its place. */
    public static Start now(Instant now, List<String> nodes) {
        return new Start(Certainty.NOW, Optional.of(now), nodes, "");
    }

    /** Returns that the start is not known, and why. */
    public static Start unknown(String reason) {
        return new Start(Certainty.UNKNOWN, Optional.empty(), List.of(), reason);
    }

    @Override
    public String toString() {
        String time = at.map(Instant::toString).orElse("");
        String when = switch (certainty) {
            case NOW -> "now";
            case BOUND -> time + " at the latest";
            case ESTIMATE -> "about " + time + " (estimate)";
            case UNKNOWN -> "unknown";
        };
        String where = nodes.isEmpty() ? "" : " on " + String.join(", ", nodes);
        return when + where + (reason.isEmpty() ? "" : ": " + reason);
    }
}
