package io.gpusched.simulator.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;

/**
 * Reads files of arrival orders, compressed when their name ends in {@code .gz}: for each seed a line
 * {@code seed=S i0 i1 ...} of rows of the pod list and a line {@code noderank=S r0 r1 ...} of ranks of the nodes.
 */
public final class OrderFile {
    private final Path file;
    private final Map<Long, List<Integer>> rows = new TreeMap<>();
    private final Map<Long, List<Integer>> ranks = new TreeMap<>();

    private OrderFile(Path file) {
        this.file = file;
    }

    /**
     * Returns the orders of a file by seed.
     *
     * @param pods number of rows of the pod list
     * @param nodes number of rows of the node list
     * @throws TraceException if the file cannot be used; the message names the line and the value
     */
    public static Map<Long, ArrivalOrder> read(Path file, int pods, int nodes) {
        OrderFile reader = new OrderFile(file);
        reader.readLines(pods, nodes);
        Map<Long, ArrivalOrder> orders = new TreeMap<>();
        reader.rows.forEach((seed, rows) -> {
            List<Integer> ranks = reader.ranks.get(seed);
            if (ranks == null) {
                throw new TraceException("file \"" + file + "\": seed " + seed + " has no line noderank=" + seed);
            }
            orders.put(seed, new ArrivalOrder(seed, rows, ranks));
        });
        if (orders.isEmpty()) {
            throw new TraceException("file \"" + file + "\": expected lines seed=S ... and noderank=S ..., got none");
        }
        return orders;
    }

    private void readLines(int pods, int nodes) {
        try (BufferedReader lines = TraceText.open(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.startsWith("seed=")) {
                    read(line, number, "seed", pods, rows);
                } else if (line.startsWith("noderank=")) {
                    checkPermutation(number, nodes, read(line, number, "noderank", nodes, ranks));
                } else if (!line.isBlank()) {
                    throw TraceException.badValue(
                            file, number, "seed", shortened(line), "seed=S ... or noderank=S ...");
                }
            }
        } catch (IOException e) {
            throw TraceException.unreadable(file, e);
        }
    }

    private List<Integer> read(String line, int number, String field, int limit, Map<Long, List<Integer>> into) {
        StringTokenizer words = new StringTokenizer(line);
        String head = words.nextToken();
        long seed = number(head.substring(field.length() + 1), number, field, Long.MAX_VALUE);
        List<Integer> values = new ArrayList<>(words.countTokens());
        while (words.hasMoreTokens()) {
            values.add((int) number(words.nextToken(), number, head, limit - 1L));
        }
        if (into.put(seed, values) != null) {
            throw TraceException.badValue(file, number, field, Long.toString(seed), "given once");
        }
        return values;
    }

    private long number(String text, int line, String field, long max) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw TraceException.badValue(file, line, field, shortened(text), "a whole number in 0.." + max);
        }
        throw TraceException.badValue(file, line, field, text, "in 0.." + max);
    }

    private void checkPermutation(int line, int nodes, List<Integer> values) {
        BitSet seen = new BitSet(nodes);
        values.forEach(seen::set);
        if (values.size() != nodes || seen.cardinality() != nodes) {
            throw new TraceException(
                    "file \"" + file + "\", line " + line + ", field \"noderank\": must hold each of 0.."
                            + (nodes - 1) + " once, got " + values.size() + " numbers, " + seen.cardinality()
                            + " of them different"
                            + "\nMaybe the file belongs to another node list.");
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
