package io.gpusched.simulator.trace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as job lists write them. */
final class JobTimes {
    private static final Pattern ELAPSED = Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)(?:\\.\\d+)?");

    private JobTimes() {}

    /** Returns the seconds since 1970 of {@code 2026-05-01T12:00:00}, with a blank for the T or not, with or without an offset. */
    static OptionalLong date(String text) {
        String date = text.replace(' ', 'T').replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
        try {
            return OptionalLong.of(
                    hasOffset(date)
                            ? OffsetDateTime.parse(date).toEpochSecond()
                            : LocalDateTime.parse(date).toEpochSecond(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns whether a date says how far its clock is from UTC. */
    static boolean hasOffset(String date) {
        return date.endsWith("Z") || date.matches("\\S+[T ].*[+-]\\d\\d:?\\d\\d");
    }

    /** Returns the whole seconds, rounded down, of a number of a unit: s, ms, min or h; empty if it is no number or negative. */
    static OptionalLong seconds(String text, String unit) {
        if (!text.matches("\\d{1,15}(\\.\\d{0,9})?")) {
            return OptionalLong.empty();
        }
        BigDecimal number = new BigDecimal(text);
        BigDecimal seconds = switch (unit) {
            case "ms" -> number.movePointLeft(3);
            case "min" -> number.multiply(BigDecimal.valueOf(60));
            case "h" -> number.multiply(BigDecimal.valueOf(3_600));
            default -> number;
        };
        return OptionalLong.of(seconds.setScale(0, RoundingMode.DOWN).longValue());
    }

    /** Returns the seconds of {@code 1-02:03:04}, {@code 02:03:04} or {@code 03:04}. */
    static OptionalLong elapsed(String text) {
        Matcher parts = ELAPSED.matcher(text);
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        long hours = 24 * part(parts, 1) + part(parts, 2);
        return OptionalLong.of(3_600 * hours + 60 * part(parts, 3) + part(parts, 4));
    }

    private static long part(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
    }
}
