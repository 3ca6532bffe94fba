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
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file of results that grows row by row, so that what was broken off goes on where it was. A row is a line, with its end or not
 * at all: a line that was cut when a process was killed is dropped when the file is opened again. One process at a time has it open;
 * thread-safe.
 */
public final class RowFile implements AutoCloseable {
    private final Path file;
    private final List<String> header;
    private final FileChannel channel;
    private final List<List<String>> rows = new ArrayList<>();
    private long length;

    private RowFile(Path file, List<String> header, FileChannel channel) {
        this.file = file;
        this.header = header;
        this.channel = channel;
    }

    /**
     * Opens or creates a file, and locks it until it is closed.
     *
     * @param header the names of the columns
     * @throws TraceException if another process has it open, it has another header, or rows of another length
     * @throws UncheckedIOException if it cannot be read or written
     */
    public static RowFile open(Path file, List<String> header) {
        try {
            FileChannel channel = locked(file);
            try {
                RowFile opened = new RowFile(file, List.copyOf(header), channel);
                opened.open(content(channel));
                return opened;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read or write " + file, e);
        }
    }

    /** A file that was replaced between opening and locking it is another one by now, and opened again. */
    private static FileChannel locked(Path file) throws IOException {
        while (true) {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Object opened = key(file);
            if (!isLocked(channel)) {
                channel.close();
                throw new TraceException("file \"" + file
                        + "\": another run writes it\nMaybe wait for its end, or write to another file.");
            }
            if (Files.exists(file) && Objects.equals(key(file), opened)) {
                return channel;
            }
            channel.close();
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAttributes(file, BasicFileAttributes.class).fileKey()
                : null;
    }

    /** Reads through the channel that holds the lock: closing another would give it up. */
    private static byte[] content(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes, bytes.position());
        }
        return bytes.array();
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
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
        channel.truncate(length);
        long at = length;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        length = at;
    }

    /** Puts these rows in place of all others, at once, and closes the file. */
    public synchronized void replace(List<List<String>> sorted) {
        StringBuilder text = new StringBuilder(line(header));
        sorted.forEach(row -> text.append(line(row)));
        try {
            Path part = Files.writeString(file.resolveSibling(file.getFileName() + ".part"), text);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        } finally {
            close();
        }
    }

    /** Lets others have the file. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close " + file, e);
        }
    }

    private static String line(List<String> row) {
        StringWriter text = new StringWriter();
        CsvWriter.builder().bufferSize(0).build(text).writeRecord(row);
        return text.toString();
    }
}
