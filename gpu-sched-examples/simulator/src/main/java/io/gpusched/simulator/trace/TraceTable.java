package io.gpusched.simulator.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads a file with a header line into values; its columns are separated by commas, tabs, semicolons or bars. */
public final class TraceTable {
    private TraceTable() {}

    /**
     * Returns what each data row becomes, in file order.
     *
     * @param required the columns that the header must have; others are ignored unless {@code toValue} asks for them
     * @throws TraceException if the file cannot be read, has no data rows, lacks a column, or a row is refused
     */
    public static <T> List<T> read(Path file, List<String> required, Function<TraceRow, T> toValue) {
        List<T> values = new ArrayList<>();
        char separator = TraceText.separator(TraceText.firstLine(file));
        try (CsvReader<NamedCsvRecord> rows =
                CsvReader.builder().fieldSeparator(separator).ofNamedCsvRecord(TraceText.open(file))) {
            Map<String, Integer> columns = new HashMap<>();
            for (NamedCsvRecord row : rows) {
                if (values.isEmpty()) {
                    checkHeader(file, row.getHeader(), required);
                    columns.putAll(places(row.getHeader()));
                }
                values.add(value(new TraceRow(file, row.getStartingLineNumber(), columns, row.getFields()), toValue));
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw TraceException.unreadable(file, e);
        }
        if (values.isEmpty()) {
            throw noRow(file);
        }
        return values;
    }

    /**
     * Returns the columns of a file.
     *
     * @throws TraceException if it cannot be read or has no line
     */
    static List<String> header(Path file) {
        char separator = TraceText.separator(TraceText.firstLine(file));
        try (CsvReader<CsvRecord> rows =
                CsvReader.builder().fieldSeparator(separator).ofCsvRecord(TraceText.open(file))) {
            for (CsvRecord row : rows) {
                return row.getFields().stream().map(String::strip).toList();
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw TraceException.unreadable(file, e);
        }
        throw noRow(file);
    }

    static TraceException noRow(Path file) {
        return new TraceException("file \"" + file + "\": expected a header line and at least one row, got no row");
    }

    /** Returns the place of each column, the first of equal names. */
    static Map<String, Integer> places(List<String> header) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            places.putIfAbsent(header.get(i).strip(), i);
        }
        return places;
    }

    /** What a value says of itself when it refuses a row is said of the row. */
    static <T> T value(TraceRow row, Function<TraceRow, T> toValue) {
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
