package io.gpusched.simulator.trace;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.nio.file.Path;

/** One data row of a CSV file, read field by field. */
public final class TraceRow {
    private final Path file;
    private final NamedCsvRecord row;

    TraceRow(Path file, NamedCsvRecord row) {
        this.file = file;
        this.row = row;
    }

    /** Returns whether the file has this column. */
    public boolean has(String field) {
        return row.findField(field).isPresent();
    }

    /** Returns a text, blanks around it removed; empty where the field is. */
    public String text(String field) {
        return row.findField(field)
                .orElseThrow(
                        () -> bad("has " + row.getFieldCount() + " fields, none of them for column \"" + field + "\""))
                .strip();
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
        return TraceException.badValue(file, row.getStartingLineNumber(), field, text(field), legal);
    }

    /** Returns the exception for this row as a whole. */
    public TraceException bad(String message) {
        return new TraceException("file \"" + file + "\", line " + row.getStartingLineNumber() + ": " + message);
    }
}
