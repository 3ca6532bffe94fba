package io.gpusched.simulator.grid;

import io.gpusched.model.Node;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.trace.JobColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs to play: every job list on every cluster at every load by every rule with every seed.
 *
 * @param traces the job lists, in any form that {@link io.gpusched.simulator.trace.JobTrace} reads
 * @param clusters files of machines
 * @param pools clusters of equal nodes, {@code 32x8} for 32 nodes of 8 GPUs
 * @param loads offered loads, each in 0.01..10, or 0 for the arrivals at the list's own times
 * @param rules rules of backfill as {@link CycleRule#parse} reads them, and names of policies
 * @param told what the rules of backfill are told of run times, see {@link RunTimes#parse}
 * @param seeds seeds that draw arrivals, each at least 0; 0 for the arrivals as they were
 * @param blockHours the length of the blocks that a seed draws, in 0.01..1000
 * @param intervalSeconds how often a policy tries waiting jobs, in 1..86400
 * @param columns which column of the job lists says what, as {@link JobColumns#parse} reads it; empty if their headers tell
 */
public record Grid(
        List<Path> traces,
        List<Path> clusters,
        List<String> pools,
        List<Double> loads,
        List<String> rules,
        List<String> told,
        List<Long> seeds,
        double blockHours,
        int intervalSeconds,
        String columns) {
    /** The length of a block unless told otherwise. */
    public static final double BLOCK_HOURS = 24;

    private static final Pattern POOL = Pattern.compile("([1-9][0-9]{0,4})x([1-9][0-9]{0,2})");
    private static final int DIGEST_BYTES = 8;

    /**
     * Copies the lists and checks them.
     *
     * @throws IllegalArgumentException if a list is empty, a value is out of its range, or two files have the same name
     */
    public Grid {
        traces = filled("a trace", traces);
        clusters = List.copyOf(clusters);
        pools = List.copyOf(pools);
        filled("a cluster", Stream.concat(clusters.stream(), pools.stream()).toList());
        loads = filled("a load", loads);
        rules = filled("a policy or a rule of backfill", rules).stream()
                .map(Grid::rule)
                .toList();
        told = filled("a kind of given run times", told);
        seeds = filled("a seed", seeds);
        pools.forEach(Grid::pool);
        loads.forEach(load -> check("load", load == 0 || load >= 0.01 && load <= 10, "0.01..10", load));
        told.forEach(RunTimes::parse);
        seeds.forEach(seed -> check("seed", seed >= 0, "0 or more", seed));
        check("blockHours", blockHours >= 0.01 && blockHours <= 1_000, "0.01..1000", blockHours);
        check("intervalSeconds", intervalSeconds >= 1 && intervalSeconds <= 86_400, "1..86400", intervalSeconds);
        files(traces, clusters);
        if (!columns.isEmpty()) {
            JobColumns.parse(columns);
        }
    }

    /** A grid of job lists that are known by their headers. */
    public Grid(
            List<Path> traces,
            List<Path> clusters,
            List<String> pools,
            List<Double> loads,
            List<String> rules,
            List<String> told,
            List<Long> seeds,
            double blockHours,
            int intervalSeconds) {
        this(traces, clusters, pools, loads, rules, told, seeds, blockHours, intervalSeconds, "");
    }

    private static <T> List<T> filled(String what, List<T> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("grid: " + what + " is missing");
        }
        return List.copyOf(values);
    }

    private static void check(String what, boolean legal, String range, Object value) {
        if (!legal) {
            throw new IllegalArgumentException("grid: " + what + " must be in " + range + ", got " + value);
        }
    }

    private static String rule(String text) {
        if (LibraryPolicies.names().contains(text)) {
            return text;
        }
        try {
            return CycleRule.parse(text).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "grid: rule " + e.getMessage() + "\nMaybe a policy is meant: " + LibraryPolicies.names(), e);
        }
    }

    /** Returns the number of nodes and of the GPUs of each. */
    static int[] pool(String text) {
        Matcher pool = POOL.matcher(text);
        if (!pool.matches() || Integer.parseInt(pool.group(2)) > Node.MAX_GPUS) {
            throw new IllegalArgumentException(
                    "grid: expected nodes such as 32x8, of at most " + Node.MAX_GPUS + " GPUs, got \"" + text + "\"");
        }
        return new int[] {Integer.parseInt(pool.group(1)), Integer.parseInt(pool.group(2))};
    }

    /** Returns the files of job lists and machines by their names. */
    public Map<String, Path> files() {
        return files(traces, clusters);
    }

    private static Map<String, Path> files(List<Path> traces, List<Path> clusters) {
        Map<String, Path> files = new LinkedHashMap<>();
        Stream.concat(traces.stream(), clusters.stream()).distinct().forEach(file -> {
            Path other = files.put(name(file), file);
            if (other != null) {
                throw new IllegalArgumentException("grid: two files are called \"" + name(file) + "\": " + other
                        + " and " + file + "\nMaybe rename one: rows name files by that.");
            }
        });
        return files;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Returns the cells in their order, each once. */
    public Collection<Cell> cells() {
        TreeSet<Cell> cells = new TreeSet<>();
        List<String> machines = new ArrayList<>(pools);
        clusters.forEach(file -> machines.add(name(file)));
        for (Path trace : traces) {
            for (String cluster : machines) {
                for (double load : loads) {
                    for (String rule : rules) {
                        List<String> times = LibraryPolicies.names().contains(rule) ? List.of("") : told;
                        times.forEach(time -> seeds.forEach(
                                seed -> cells.add(new Cell(name(trace), cluster, load, rule, time, seed))));
                    }
                }
            }
        }
        return cells;
    }

    /**
     * Returns what all cells share; reads the files for their digests.
     *
     * @throws UncheckedIOException if one cannot be read
     */
    public GridSettings settings() {
        Map<String, String> digests = new LinkedHashMap<>();
        files().forEach((name, file) -> digests.put(name, digest(file, traces.contains(file) ? columns : "")));
        return new GridSettings(blockHours, intervalSeconds, columns, digests);
    }

    private static String digest(Path file, String columns) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(Files.readAllBytes(file));
            byte[] digest = sha.digest(columns.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException("file \"" + file + "\": there is no such file", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
