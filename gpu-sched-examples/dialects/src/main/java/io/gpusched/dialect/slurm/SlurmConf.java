package io.gpusched.dialect.slurm;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The nodes of Slurm's {@code slurm.conf}: its lines {@code NodeName=n[1-4] CPUs=64 RealMemory=512000 Gres=gpu:a100:8}. Other lines
 * are passed over. A line {@code NodeName=DEFAULT} holds for those after it.
 *
 * <p>Nodes whose {@code State} is down, draining, failed or in the future are left out.
 */
public final class SlurmConf {
    private static final String NODE_NAME = "nodename";
    private static final List<String> UNUSABLE = List.of("DOWN", "DRAIN", "FAIL", "FUTURE");

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
        Map<String, String> defaults = new TreeMap<>();
        int number = 0;
        StringBuilder pending = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            number++;
            String content = line.contains("#") ? line.substring(0, line.indexOf('#')) : line;
            pending.append(content.strip().replaceFirst("\\\\$", " "));
            if (!content.strip().endsWith("\\")) {
                add(pending.toString(), "slurm.conf, line " + number, defaults, nodes, gresConf);
                pending.setLength(0);
            }
        }
        return nodes;
    }

    private static void add(
            String line,
            String where,
            Map<String, String> defaults,
            Map<String, Node> nodes,
            List<SlurmGresConf> gresConf) {
        if (!line.toLowerCase(Locale.ROOT).startsWith(NODE_NAME + "=")) {
            return;
        }
        Map<String, String> values = values(line, where);
        String names = values.remove(NODE_NAME);
        if ("DEFAULT".equals(names)) {
            defaults.putAll(values);
            return;
        }
        defaults.forEach(values::putIfAbsent);
        String state = values.getOrDefault("state", "").toUpperCase(Locale.ROOT);
        if (UNUSABLE.stream().anyMatch(state::contains)) {
            return;
        }
        for (String name : SlurmNames.expand(Objects.requireNonNull(names))) {
            if (nodes.put(name, node(name, values, where, gresConf)) != null) {
                throw new IllegalArgumentException(where + ": node \"" + name + "\" is described twice");
            }
        }
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
