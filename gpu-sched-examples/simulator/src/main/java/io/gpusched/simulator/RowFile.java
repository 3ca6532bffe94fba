package io.gpusched.simulator;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A CSV file of results that grows row by row, so that what was broken off goes on where it was. A row is a line, with its end or not
 * at all: a line that was cut when a process was killed is dropped when the file is opened again. One process writes; thread-safe.
 */
public final class RowFile {
    private final Path file;
    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();
    private long length;

    private RowFile(Path file, List<String> header) {
        this.file = file;
        this.header = header;
    }

    /**
     * Opens or creates a file.
     *
     * @param header the names of the columns
     * @throws TraceException if the file has another header, or rows of another length
     * @throws UncheckedIOException if it cannot be read or written
     */
    public static RowFile open(Path file, List<String> header) {
        RowFile opened = new RowFile(file, List.copyOf(header));
        try {
            opened.open(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read or write " + file, e);
        }
        return opened;
    }

    private void open(byte[] bytes) throws IOException {
        int whole = bytes.length;
        while (whole > 0 && bytes[whole - 1] != '\n') {
            whole--;
        }
        String rest = new String(bytes, whole, bytes.length - whole, StandardCharsets.UTF_8);
        if (whole == 0 && line(header).startsWith(rest)) {
            write(line(header));
            return;
        }
        try (CsvReader<CsvRecord> lines =
                CsvReader.builder().ofCsvRecord(new String(bytes, 0, whole, StandardCharsets.UTF_8))) {
            lines.forEach(line -> rows.add(line.getFields()));
        } catch (CsvParseException e) {
            throw new TraceException("file \"" + file + "\": cannot be read: " + e.getMessage());
        }
        if (rows.isEmpty() || !rows.remove(0).equals(header)) {
            throw new TraceException("file \"" + file + "\", line 1: expected the columns " + String.join(",", header));
        }
        length = whole;
    }

    /**
     * Returns what each row becomes that was there when the file was opened.
     *
     * @throws TraceException if {@code toValue} refuses a row with an {@link IllegalArgumentException}; it says the line
     */
    public <T> List<T> read(Function<List<String>, T> toValue) {
        List<T> values = new ArrayList<>();
        for (List<String> row : rows) {
            try {
                values.add(toValue.apply(row));
            } catch (IllegalArgumentException e) {
                throw new TraceException("file \"" + file + "\", line " + (values.size() + 2) + ": " + e.getMessage());
            }
        }
        return values;
    }

    /**
     * Writes a row at the end.
     *
     * @throws UncheckedIOException if it cannot be written; the next row takes its place
     */
    public synchronized void add(List<String> row) {
        try {
            write(line(row));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private void write(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            long at = length;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
            length = at;
        }
    }

    /** Puts these rows in place of all others, at once. */
    public synchronized void replace(List<List<String>> sorted) {
        StringBuilder text = new StringBuilder(line(header));
        sorted.forEach(row -> text.append(line(row)));
        try {
            Path part = Files.writeString(file.resolveSibling(file.getFileName() + ".part"), text);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static String line(List<String> row) {
        StringWriter text = new StringWriter();
        CsvWriter.builder().bufferSize(0).build(text).writeRecord(row);
        return text.toString();
    }
}
