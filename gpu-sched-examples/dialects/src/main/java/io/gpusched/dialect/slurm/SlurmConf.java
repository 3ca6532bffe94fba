package io.gpusched.dialect.slurm;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes of Slurm's {@code slurm.conf}: its lines {@code NodeName=n[1-4] CPUs=64 RealMemory=512000 Gres=gpu:a100:8}. Other lines
 * are passed over. A line {@code NodeName=DEFAULT} holds for those after it.
 *
 * <p>Nodes whose {@code State} is down, draining, failed or in the future are left out.
 */
public final class SlurmConf {
    static final String NODE_NAME = "nodename";

    private static final Set<String> UNUSABLE = Set.of(
            "DOWN",
            "DRAIN",
            "DRAINED",
            "DRAINING",
            "ERROR",
            "FAIL",
            "FAILING",
            "FUTURE",
            "MAINT",
            "NO_RESPOND",
            "NOT_RESPONDING",
            "RESERVED");

    private SlurmConf() {}

    /**
     * Returns the nodes by name, in the order of the file.
     *
     * @param text the file's text
     * @param gresConf the records of {@code gres.conf}; none where there is no such file
     * @throws IllegalArgumentException if a line is malformed or both files count other GPUs; the message names the line
     */
    public static Map<String, Node> nodes(String text, List<SlurmGresConf> gresConf) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(gresConf, "gresConf");
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (Line line : lines(text, NODE_NAME)) {
            if (!isUsable(line.values().getOrDefault("state", ""))) {
                continue;
            }
            for (String name : line.names()) {
                if (nodes.put(name, node(name, line.values(), line.where(), gresConf)) != null) {
                    throw new IllegalArgumentException(line.where() + ": node \"" + name + "\" is described twice");
                }
            }
        }
        return nodes;
    }

    /** Returns whether a node takes jobs by its states, such as {@code MIXED+DRAIN}, each with marks such as {@code *} at its end. */
    static boolean isUsable(String state) {
        return List.of(state.toUpperCase(Locale.ROOT).split("\\+", -1)).stream()
                .map(one -> one.replaceAll("[^A-Z_]", ""))
                .noneMatch(UNUSABLE::contains);
    }

    /**
     * A line that describes nodes or partitions.
     *
     * @param where the file and the line
     * @param names which it describes
     * @param values what it says, by key in lower case, and what {@code DEFAULT} said before it
     */
    record Line(String where, List<String> names, Map<String, String> values) {}

    /** Returns the lines that begin with a key in lower case, in the order of the file. */
    static List<Line> lines(String text, String key) {
        List<Line> lines = new ArrayList<>();
        Map<String, String> defaults = new TreeMap<>();
        int number = 0;
        StringBuilder pending = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            number++;
            String content = line.contains("#") ? line.substring(0, line.indexOf('#')) : line;
            pending.append(content.strip().replaceFirst("\\\\$", " "));
            if (content.strip().endsWith("\\")) {
                continue;
            }
            String whole = pending.toString();
            pending.setLength(0);
            if (whole.toLowerCase(Locale.ROOT).startsWith(key + "=")) {
                String where = "slurm.conf, line " + number;
                Map<String, String> values = values(whole, where);
                String names = Objects.requireNonNull(values.remove(key));
                if (names.equals("DEFAULT")) {
                    defaults.putAll(values);
                } else {
                    defaults.forEach(values::putIfAbsent);
                    lines.add(new Line(where, SlurmNames.expand(names), values));
                }
            }
        }
        return lines;
    }

    private static Map<String, String> values(String line, String where) {
        Map<String, String> values = new TreeMap<>();
        for (String word : line.strip().split("\\s+", -1)) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(where + ": expected key=value, got \"" + word + "\"");
            }
            values.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
        }
        return values;
    }

    private static Node node(String name, Map<String, String> values, String where, List<SlurmGresConf> gresConf) {
        List<SlurmGres> gres = SlurmGres.parseList(values.getOrDefault("gres", ""));
        List<SlurmGres> found = SlurmGresConf.inventory(gresConf, name);
        if (!found.isEmpty() && gpus(found) != gpus(gres)) {
            throw new IllegalArgumentException(where + ": node \"" + name + "\" has " + gpus(gres)
                    + " GPUs by its Gres, and gres.conf gives it " + gpus(found));
        }
        return SlurmNode.of(name, cpus(values, where), number(values, "realmemory", 1, where), gres);
    }

    private static long gpus(List<SlurmGres> gres) {
        return gres.stream()
                .filter(one -> one.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
    }

    private static long cpus(Map<String, String> values, String where) {
        long sockets = values.containsKey("socketsperboard")
                ? number(values, "boards", 1, where) * number(values, "socketsperboard", 1, where)
                : number(values, "sockets", 1, where);
        long threads =
                sockets * number(values, "corespersocket", 1, where) * number(values, "threadspercore", 1, where);
        return number(values, "cpus", threads, where);
    }

    private static long number(Map<String, String> values, String key, long absent, String where) {
        String text = values.get(key);
        if (text == null) {
            return absent;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(where + ": " + key + " must be a whole number, got \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    /** Returns whether a text holds lines that describe nodes. */
    public static boolean describesNodes(String text) {
        Objects.requireNonNull(text, "text");
        List<String> lines = new ArrayList<>(text.lines().toList());
        return lines.stream()
                .anyMatch(line -> line.strip().toLowerCase(Locale.ROOT).startsWith(NODE_NAME + "="));
    }
}
