package io.gpusched.simulator;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Plays what a file of results has no row of yet, and writes each row when its run has ended. At the end the rows stand in the order of
 * what was played, so that the file is the same byte for byte whatever played it, and however often it was broken off.
 */
public final class RowRuns {
    private RowRuns() {}

    /** Plays one run; thread-safe. */
    @FunctionalInterface
    public interface Player<K> {
        /** Returns the row. */
        List<String> play(K one) throws Exception;
    }

    /**
     * What came of it.
     *
     * @param rows the rows by what was played
     * @param played how many of them were played now
     * @param broken what has no row, and what went wrong
     */
    public record Outcome<K>(Map<K, List<String>> rows, int played, Map<K, Exception> broken) {
        /** Wraps the maps. */
        public Outcome {
            rows = Collections.unmodifiableMap(rows);
            broken = Collections.unmodifiableMap(broken);
        }

        /** Prints how many were played, and what has no row and why. */
        public void print(PrintWriter out, Path csv, String what) {
            out.println((rows.size() + broken.size()) + " " + what + ": " + played + " played, "
                    + (rows.size() - played) + " were in " + csv);
            broken.forEach((one, e) -> out.println(one + ": not played: " + e));
            out.flush();
        }
    }

    /**
     * Plays what is missing. A run that goes wrong leaves the others alone.
     *
     * @param all what is to be played
     * @param file the file, which is closed at the end
     * @param played what a row is of; refuses those of other settings by an {@link IllegalArgumentException}
     * @param threads how many runs to play at once, at least 1
     * @throws io.gpusched.simulator.trace.TraceException if a row of the file is refused
     */
    public static <K extends Comparable<? super K>> Outcome<K> play(
            Collection<K> all, RowFile file, Function<List<String>, K> played, Player<K> player, int threads) {
        Map<K, List<String>> rows = new TreeMap<>();
        file.read(fields -> rows.put(played.apply(fields), fields));
        Map<K, Exception> broken = Collections.synchronizedMap(new TreeMap<>());
        List<Callable<Map<K, List<String>>>> runs = new ArrayList<>();
        for (K one : all) {
            if (!rows.containsKey(one)) {
                runs.add(() -> played(one, player, file, broken));
            }
        }
        int most = Math.max(1, Math.min(threads, runs.size()));
        Parallel.all(runs, most).forEach(rows::putAll);
        file.replace(List.copyOf(rows.values()));
        rows.keySet().retainAll(all);
        return new Outcome<>(rows, runs.size() - broken.size(), broken);
    }

    private static <K> Map<K, List<String>> played(K one, Player<K> player, RowFile file, Map<K, Exception> broken) {
        try {
            List<String> row = player.play(one);
            file.add(row);
            return Map.of(one, row);
        } catch (Exception e) {
            broken.put(one, e);
            return Map.of();
        }
    }
}
