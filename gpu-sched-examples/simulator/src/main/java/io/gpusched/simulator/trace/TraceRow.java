package io.gpusched.simulator.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One data row of a table, read field by field. */
public final class TraceRow {
    private final Path file;
    private final long line;
    private final Map<String, Integer> columns;
    private final List<String> fields;

    /**
     * Creates a row.
     *
     * @param line its line in the file, from 1
     * @param columns the place of each column of the header
     */
    TraceRow(Path file, long line, Map<String, Integer> columns, List<String> fields) {
        this.file = file;
        this.line = line;
        this.columns = columns;
        this.fields = fields;
    }

    /** Returns whether the file has this column, and the row a field for it. */
    public boolean has(String field) {
        return columns.getOrDefault(field, fields.size()) < fields.size();
    }

    /** Returns a text, blanks around it removed; empty where the field is. */
    public String text(String field) {
        if (!has(field)) {
            throw bad("has " + fields.size() + " fields, none of them for column \"" + field + "\"");
        }
        return fields.get(columns.getOrDefault(field, 0)).strip();
    }

    /** Returns a text; empty where the file has no such column. */
    String textOr(String field) {
        return has(field) ? text(field) : "";
    }

    /** Returns its line in the file, from 1. */
    long line() {
        return line;
    }

    /** Returns a text that must be there. */
    public String name(String field) {
        String text = text(field);
        if (text.isEmpty()) {
            throw bad(field, "not blank");
        }
        return text;
    }

    /** Returns a whole number within a range. */
    public long number(String field, long min, long max) {
        String text = text(field);
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw bad(field, "a whole number in " + min + ".." + max);
        }
        throw bad(field, "in " + min + ".." + max);
    }

    /** Returns a number that may have decimals. */
    public double decimal(String field) {
        try {
            double value = Double.parseDouble(text(field));
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw bad(field, "a number");
        }
        throw bad(field, "a number");
    }

    /** Returns a whole number within a range of int. */
    public int count(String field, int min, int max) {
        return Math.toIntExact(number(field, min, max));
    }

    /** Returns the exception for this field. */
    public TraceException bad(String field, String legal) {
        return TraceException.badValue(file, line, field, text(field), legal);
    }

    /** Returns the exception for this row as a whole. */
    public TraceException bad(String message) {
        return new TraceException("file \"" + file + "\", line " + line + ": " + message);
    }
}
