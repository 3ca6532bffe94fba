package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A record of Slurm's {@code gres.conf}, such as {@code Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15}.
 *
 * @param nodes the nodes it is for ({@code NodeName}); none for every node
 * @param name the resource
 * @param type its type, or empty
 * @param files its device files; none where only a count is given
 * @param count how many devices, or for shares how many units in total
 * @param cores local cores as written, or empty
 * @param links number of links to each GPU by index, -1 for the device itself; none where not given
 * @param flags flags in lower case
 */
public record SlurmGresConf(
        List<String> nodes,
        String name,
        String type,
        List<String> files,
        long count,
        String cores,
        List<Integer> links,
        Set<String> flags) {
    private static final int MAX_FILES = 1_024;
    private static final Set<String> KEYS = Set.of(
            "nodename", "name", "type", "file", "multiplefiles", "count", "cores", "links", "flags", "autodetect");
    private static final Set<String> FLAGS = Set.of(
            "countonly",
            "env_uuid",
            "explicit",
            "one_sharing",
            "all_sharing",
            "nvidia_gpu_env",
            "amd_gpu_env",
            "intel_gpu_env",
            "opencl_env",
            "no_gpu_env");
    private static final Set<String> DETECTION = Set.of("full", "nvml", "nvidia", "rsmi", "oneapi", "nrt", "off");

    /** Copies the collections. */
    public SlurmGresConf {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(cores, "cores");
        Checks.noNulls("flags", flags);
        nodes = Checks.list("nodes", nodes);
        files = Checks.list("files", files);
        links = Checks.list("links", links);
        flags = Set.copyOf(flags);
    }

    /**
     * Parses a file's text. Comments begin with {@code #}; a line that only says {@code AutoDetect} gives no record.
     *
     * @throws IllegalArgumentException if a line is malformed; the message names the line
     */
    public static List<SlurmGresConf> parse(String text) {
        Objects.requireNonNull(text, "text");
        List<SlurmGresConf> records = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String content = line.contains("#") ? line.substring(0, line.indexOf('#')) : line;
            if (!content.isBlank()) {
                record(content.trim(), "gres.conf, line " + number).ifPresent(records::add);
            }
        }
        return records;
    }

    private static Optional<SlurmGresConf> record(String line, String where) {
        Map<String, String> values = new TreeMap<>();
        for (String word : line.split("\\s+", -1)) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals).toLowerCase(Locale.ROOT);
            if (equals < 0 || !KEYS.contains(key)) {
                throw new IllegalArgumentException(where + ": expected key=value with a key of "
                        + new java.util.TreeSet<>(KEYS) + ", got \"" + word + "\"");
            }
            values.put(key, word.substring(equals + 1));
        }
        String detect = values.getOrDefault("autodetect", "off").toLowerCase(Locale.ROOT);
        if (!DETECTION.contains(detect)) {
            throw new IllegalArgumentException(where + ": AutoDetect must be one of "
                    + new java.util.TreeSet<>(DETECTION) + ", got \"" + detect + "\"");
        }
        return values.containsKey("name") ? Optional.of(build(values, where)) : noName(values, where);
    }

    private static Optional<SlurmGresConf> noName(Map<String, String> values, String where) {
        if (!values.containsKey("autodetect")) {
            throw new IllegalArgumentException(where + ": Name must be given");
        }
        return Optional.empty();
    }

    private static SlurmGresConf build(Map<String, String> values, String where) {
        List<String> files = new ArrayList<>();
        for (String key : List.of("file", "multiplefiles")) {
            files.addAll(SlurmNames.expand(values.getOrDefault(key, "")));
        }
        if (files.size() > MAX_FILES) {
            throw new IllegalArgumentException(
                    where + ": File must name at most " + MAX_FILES + " devices, got " + files.size());
        }
        long devices = values.containsKey("multiplefiles") ? 1 : Math.max(1, files.size());
        long count = values.containsKey("count")
                ? SlurmGres.parse("count:" + values.get("count")).count()
                : devices;
        return new SlurmGresConf(
                SlurmNames.expand(values.getOrDefault("nodename", "")),
                values.getOrDefault("name", "").toLowerCase(Locale.ROOT),
                values.getOrDefault("type", ""),
                files,
                count,
                values.getOrDefault("cores", ""),
                links(values.getOrDefault("links", ""), where),
                flags(values.getOrDefault("flags", ""), where));
    }

    private static List<Integer> links(String text, String where) {
        List<Integer> links = new ArrayList<>();
        for (String number : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
            try {
                links.add(Integer.valueOf(number.trim()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(where + ": Links must be numbers, got \"" + text + "\"", e);
            }
        }
        if (Collections.frequency(links, -1) > 1) {
            throw new IllegalArgumentException(
                    where + ": Links must hold -1 once, for the device itself, got " + links);
        }
        return links;
    }

    private static Set<String> flags(String text, String where) {
        Set<String> flags = new java.util.TreeSet<>();
        for (String flag : text.toLowerCase(Locale.ROOT).split(",", -1)) {
            if (!flag.isBlank() && !FLAGS.contains(flag)) {
                throw new IllegalArgumentException(
                        where + ": Flags must be of " + new java.util.TreeSet<>(FLAGS) + ", got \"" + flag + "\"");
            }
            flags.add(flag);
        }
        flags.remove("");
        return flags;
    }

    /**
     * Returns what a node offers by these records, in the form that {@link SlurmNode#of} takes.
     *
     * @param node the node's name
     */
    public static List<SlurmGres> inventory(List<SlurmGresConf> records, String node) {
        Objects.requireNonNull(records, "records");
        Objects.requireNonNull(node, "node");
        Map<String, SlurmGres> sums = new java.util.LinkedHashMap<>();
        for (SlurmGresConf record : records) {
            if (record.nodes().isEmpty() || record.nodes().contains(node)) {
                boolean perDevice =
                        record.name().equals(SlurmGres.GPU) || record.files().isEmpty();
                long count = perDevice
                        ? record.count()
                        : record.count() * record.files().size();
                String type = record.name().equals(SlurmGres.GPU) ? record.type() : "";
                sums.merge(
                        record.name() + ":" + type,
                        new SlurmGres(record.name(), type, count),
                        (a, b) -> new SlurmGres(a.name(), a.type(), a.count() + b.count()));
            }
        }
        return List.copyOf(sums.values());
    }
}
