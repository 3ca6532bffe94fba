package io.gpusched.simulator.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which column of a job list says what, written {@code submit=ts:ms,gpus=n,duration=dur:min}. A number of a time is in seconds unless a
 * unit follows: {@code s}, {@code ms}, {@code min} or {@code h}.
 *
 * @param columns by what they say, one of {@link #FIELDS}
 */
public record JobColumns(Map<String, Source> columns) {
    /** What a column can say. */
    public static final List<String> FIELDS = List.of(
            "submit",
            "interval",
            "start",
            "end",
            "duration",
            "gpus",
            "workers",
            "name",
            "owner",
            "models",
            "ran_on",
            "cpus",
            "memory_gib",
            "gpu_percent",
            "gpu_memory_gib",
            "mig",
            "limit");

    /** No column is named: the list is known by its header. */
    public static final JobColumns NONE = new JobColumns(Map.of());

    private static final Pattern TERM = Pattern.compile("([a-z_]+)=(.+?)(?::(s|ms|min|h))?");

    /**
     * A column.
     *
     * @param column its name in the header
     * @param unit the unit of its numbers: {@code s}, {@code ms}, {@code min} or {@code h}; {@code s} if it is no time
     */
    public record Source(String column, String unit) {
        @Override
        public String toString() {
            return column + ":" + unit;
        }
    }

    /** Copies the map. */
    public JobColumns {
        columns = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    /**
     * Reads what a user wrote.
     *
     * @throws IllegalArgumentException if it is not written so
     */
    public static JobColumns parse(String text) {
        Map<String, Source> columns = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            Matcher term = TERM.matcher(part.strip());
            if (!term.matches()) {
                throw new IllegalArgumentException(
                        "expected columns such as submit=ts:ms,gpus=n,duration=dur:min, got \"" + text + "\"");
            }
            if (!FIELDS.contains(term.group(1))) {
                throw new IllegalArgumentException(
                        "\"" + term.group(1) + "\" is not one of " + String.join(", ", FIELDS));
            }
            Source source = new Source(term.group(2).strip(), term.group(3) == null ? "s" : term.group(3));
            if (columns.put(term.group(1), source) != null) {
                throw new IllegalArgumentException("\"" + term.group(1) + "\" is named twice in \"" + text + "\"");
            }
        }
        return new JobColumns(columns);
    }

    @Override
    public String toString() {
        return columns.isEmpty() ? "" : columns.toString();
    }
}
