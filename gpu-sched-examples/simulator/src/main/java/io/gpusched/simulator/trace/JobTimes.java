package io.gpusched.simulator.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as job lists write them. */
final class JobTimes {
    private static final Pattern ELAPSED = Pattern.compile("(?:(\\d+)-)?(?:(\\d+):)?(\\d+):(\\d+)(?:\\.\\d+)?");

    private JobTimes() {}

    /** Returns the seconds since 1970 of {@code 2026-05-01T12:00:00}, with or without an offset, or a whole number of seconds. */
    static OptionalLong seconds(String text) {
        try {
            if (text.matches("\\d{1,12}")) {
                return OptionalLong.of(Long.parseLong(text));
            }
            boolean hasOffset = text.endsWith("Z") || text.matches(".*[+-]\\d\\d:?\\d\\d");
            return OptionalLong.of(
                    hasOffset
                            ? OffsetDateTime.parse(text).toEpochSecond()
                            : LocalDateTime.parse(text.replace(' ', 'T')).toEpochSecond(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
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

    /** Returns the jobs in order of arrival, the first at 0. */
    static List<SubmittedJob> fromZero(List<SubmittedJob> jobs) {
        long first = jobs.stream()
                .mapToLong(job -> job.job().lifetime().arrivalSeconds())
                .min()
                .orElse(0);
        return jobs.stream().map(job -> job.earlier(first)).toList();
    }

    /** Returns the first line of a file. */
    static String header(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String line = reader.readLine();
            return line == null ? "" : line.replace("\uFEFF", "");
        } catch (IOException e) {
            throw TraceException.unreadable(file, e);
        }
    }
}
