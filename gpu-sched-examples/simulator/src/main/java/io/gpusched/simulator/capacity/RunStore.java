package io.gpusched.simulator.capacity;

import io.gpusched.simulator.RowFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
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

    private final @Nullable RowFile file;
    private final Map<Key, RunNumbers> known = new TreeMap<>();

    private RunStore(@Nullable RowFile file) {
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
     * Keeps runs in a file, and reads the runs that it has.
     *
     * @throws io.gpusched.simulator.trace.TraceException if it is there and no such file, or another run has it open
     */
    public static RunStore in(Path path) {
        RowFile file = RowFile.open(path, COLUMNS);
        RunStore store = new RunStore(file);
        try {
            file.read(row -> store.known.put(
                    new Key(row.get(0), Long.parseLong(row.get(1)), row.get(2)), numbers(row.subList(3, row.size()))));
            return store;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static RunNumbers numbers(List<String> fields) {
        return new RunNumbers(
                Double.parseDouble(fields.get(0)),
                Double.parseDouble(fields.get(1)),
                Double.parseDouble(fields.get(2)),
                Double.parseDouble(fields.get(3)),
                Double.parseDouble(fields.get(4)),
                Integer.parseInt(fields.get(5)),
                Boolean.parseBoolean(fields.get(6)));
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
                file.add(row(key, numbers));
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

    /** Sorts the rows, by cluster and seed. */
    @Override
    public void close() {
        synchronized (known) {
            if (file != null) {
                file.replace(known.entrySet().stream()
                        .map(run -> row(run.getKey(), run.getValue()))
                        .toList());
            }
        }
    }
}
