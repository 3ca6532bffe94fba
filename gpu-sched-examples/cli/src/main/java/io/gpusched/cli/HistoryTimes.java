package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.replay.RecordedDecision;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Times of a history as people write them. */
record HistoryTimes(long unitsPerSecond) {
    private static final long YEAR_2000 = 946_684_800;

    /**
     * Returns a time of the history.
     *
     * @throws IllegalArgumentException if it is neither a number nor a date
     */
    long parse(String text) {
        try {
            return text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-')
                            && !text.substring(1).contains("-")
                    ? Long.parseLong(text)
                    : Math.multiplyExact(OffsetDateTime.parse(text).toEpochSecond(), unitsPerSecond);
        } catch (DateTimeException | ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "--at must be a time of the history as a number, or a date such as 2026-11-28T10:00:00Z, got \""
                            + text + "\"",
                    e);
        }
    }

    /** Returns a time as a date if it is one, else as it is. */
    String words(long time) {
        long seconds = time / unitsPerSecond;
        return seconds > YEAR_2000 ? Instant.ofEpochSecond(seconds).toString() : Long.toString(time);
    }

    /** Says which decision of a history is meant. */
    ObjectNode put(ObjectNode to, RecordedDecision decision) {
        return to.put("recordedIn", decision.where())
                .put("time", decision.time())
                .put("at", words(decision.time()));
    }

    double minutes(double time) {
        return time / unitsPerSecond / 60;
    }

    double minutes(long time) {
        return minutes((double) time);
    }

    double hours(long time) {
        return minutes(time) / 60;
    }
}
