package io.gpusched.simulator.capacity;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.gpusched.simulator.trace.TraceRow;
import io.gpusched.simulator.trace.TraceTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what runs came to in a CSV file, a row for each as soon as it has ended, so that a study that was broken off goes on where it
 * was. Thread-safe. The rows are in the order in which runs ended; {@link #close} sorts them.
 */
public final class RunStore implements AutoCloseable {
    private static final List<String> COLUMNS = List.of(
            "cluster",
            "seed",
            "input",
            "mean_wait_minutes",
            "median_wait_minutes",
            "p95_wait_minutes",
            "p99_wait_minutes",
            "used_percent",
            "never_started",
            "steady");

    private final @Nullable Path file;
    private final Map<Key, RunNumbers> known = new TreeMap<>();

    private RunStore(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Which run it is.
     *
     * @param cluster the name of the cluster
     * @param seed the seed
     * @param input the {@link Fingerprint} of all that the run depends on but the seed
     */
    record Key(String cluster, long seed, String input) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = cluster.compareTo(other.cluster);
            order = order == 0 ? Long.compare(seed, other.seed) : order;
            return order == 0 ? input.compareTo(other.input) : order;
        }
    }

    /** Keeps nothing. */
    public static RunStore none() {
        return new RunStore(null);
    }

    /**
     * Keeps runs in a file, and reads those that it has.
     *
     * @throws io.gpusched.simulator.trace.TraceException if it is there and no such file
     */
    public static RunStore in(Path file) {
        RunStore store = new RunStore(file);
        if (Files.exists(file) && hasRows(file)) {
            TraceTable.read(file, COLUMNS, row -> store.known.put(key(row), numbers(row)));
        } else {
            store.write(List.of(COLUMNS), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        }
        return store;
    }

    private static boolean hasRows(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.skip(1).findAny().isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static Key key(TraceRow row) {
        return new Key(row.text("cluster"), row.number("seed", 0, Long.MAX_VALUE), row.name("input"));
    }

    private static RunNumbers numbers(TraceRow row) {
        return new RunNumbers(
                row.decimal("mean_wait_minutes"),
                row.decimal("median_wait_minutes"),
                row.decimal("p95_wait_minutes"),
                row.decimal("p99_wait_minutes"),
                row.decimal("used_percent"),
                row.count("never_started", 0, Integer.MAX_VALUE),
                Boolean.parseBoolean(row.text("steady")));
    }

    /** Returns what a run came to, as it is known, else as it is played now. */
    RunNumbers get(Key key, Supplier<RunNumbers> run) {
        synchronized (known) {
            RunNumbers numbers = known.get(key);
            if (numbers != null) {
                return numbers;
            }
        }
        RunNumbers numbers = run.get();
        synchronized (known) {
            if (known.put(key, numbers) == null && file != null) {
                write(List.of(row(key, numbers)), StandardOpenOption.APPEND);
            }
        }
        return numbers;
    }

    private static List<String> row(Key key, RunNumbers numbers) {
        return List.of(
                key.cluster(),
                Long.toString(key.seed()),
                key.input(),
                Double.toString(numbers.meanWaitMinutes()),
                Double.toString(numbers.medianWaitMinutes()),
                Double.toString(numbers.p95WaitMinutes()),
                Double.toString(numbers.p99WaitMinutes()),
                Double.toString(numbers.usedPercent()),
                Integer.toString(numbers.neverStarted()),
                Boolean.toString(numbers.isSteady()));
    }

    private void write(List<List<String>> rows, OpenOption... how) {
        if (file != null) {
            try (CsvWriter csv = CsvWriter.builder().build(Files.newBufferedWriter(file, how))) {
                rows.forEach(csv::writeRecord);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file, e);
            }
        }
    }

    /** Sorts the rows, by cluster and seed. */
    @Override
    public void close() {
        synchronized (known) {
            List<List<String>> rows = new ArrayList<>(List.of(COLUMNS));
            known.forEach((key, numbers) -> rows.add(row(key, numbers)));
            write(rows, StandardOpenOption.TRUNCATE_EXISTING);
        }
    }
}
