package io.gpusched.simulator.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads a CSV file with a header line into values. */
public final class TraceTable {
    private TraceTable() {}

    /**
     * Returns what each data row becomes, in file order.
     *
     * @param required the columns that the header must have; others are ignored unless {@code toValue} asks for them
     * @throws TraceException if the file cannot be read, has no data rows, lacks a column, or a row is refused
     */
    public static <T> List<T> read(Path file, List<String> required, Function<TraceRow, T> toValue) {
        return read(file, ',', required, toValue);
    }

    /** As {@link #read(Path, List, Function)}, of a file whose fields are separated by another character. */
    static <T> List<T> read(Path file, char separator, List<String> required, Function<TraceRow, T> toValue) {
        List<T> values = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder()
                .fieldSeparator(separator)
                .detectBomHeader(true)
                .ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : rows) {
                if (values.isEmpty()) {
                    checkHeader(file, row.getHeader(), required);
                }
                values.add(value(new TraceRow(file, row), toValue));
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw TraceException.unreadable(file, e);
        }
        if (values.isEmpty()) {
            throw new TraceException("file \"" + file + "\": expected a header line and at least one row, got no row");
        }
        return values;
    }

    /** What a value says of itself when it refuses a row is said of the row. */
    private static <T> T value(TraceRow row, Function<TraceRow, T> toValue) {
        try {
            return toValue.apply(row);
        } catch (IllegalArgumentException e) {
            throw row.bad(String.valueOf(e.getMessage()));
        }
    }

    private static void checkHeader(Path file, List<String> header, List<String> required) {
        for (String column : required) {
            if (!header.contains(column)) {
                throw new TraceException("file \"" + file + "\", line 1: expected a column \"" + column + "\", got "
                        + String.join(",", header));
            }
        }
    }
}
