package io.gpusched.dialect.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One item of a Slurm generic resource list, {@code name[[:type]:count]}: {@code gpu}, {@code gpu:2}, {@code gpu:a100},
 * {@code gpu:a100:2}, {@code mps:50}.
 *
 * @param name the resource, such as {@code gpu}, {@code mps} or {@code shard}
 * @param type its type, or empty for any
 * @param count how many; 1 where none is written; the suffixes K, M, G, T and P count in powers of 1,024
 */
public record SlurmGres(String name, String type, long count) {
    private static final String SUFFIXES = "KMGTP";
    private static final Pattern COUNT = Pattern.compile("\\d+[KMGTPkmgtp]?");

    /** Whole GPUs. */
    public static final String GPU = "gpu";

    /** Shares of one GPU by NVIDIA's multi-process service. */
    public static final String MPS = "mps";

    /** Shares of a GPU without enforcement. */
    public static final String SHARD = "shard";

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name is blank or the count is negative
     */
    public SlurmGres {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        if (name.isBlank() || count < 0) {
            throw new IllegalArgumentException(
                    "gres must have a name and a count from 0, got name \"" + name + "\" and count " + count);
        }
    }

    /**
     * Parses a list such as {@code gpu:a100:2,gpu:v100:1}; empty for an empty text.
     *
     * @throws IllegalArgumentException if an item is malformed
     */
    public static List<SlurmGres> parseList(String text) {
        Objects.requireNonNull(text, "text");
        List<SlurmGres> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            if (!item.isBlank()) {
                items.add(parse(item.trim()));
            } else if (!text.isBlank()) {
                throw malformed(text);
            }
        }
        return items;
    }

    /**
     * Parses one item.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static SlurmGres parse(String item) {
        Objects.requireNonNull(item, "item");
        String[] parts = item.split(":", -1);
        for (String part : parts) {
            if (part.isBlank()) {
                throw malformed(item);
            }
        }
        return switch (parts.length) {
            case 1 -> new SlurmGres(parts[0], "", 1);
            case 2 ->
                isCount(parts[1])
                        ? new SlurmGres(parts[0], "", parseCount(parts[1]))
                        : new SlurmGres(parts[0], parts[1], 1);
            case 3 -> new SlurmGres(parts[0], parts[1], parseCount(parts[2]));
            default -> throw malformed(item);
        };
    }

    /**
     * Parses counts of one resource by type, as {@code --gpus} takes them: {@code 4}, {@code a100:2} or
     * {@code a100:2,v100:1}.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static List<SlurmGres> parseCounts(String name, String text) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(text, "text");
        List<SlurmGres> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            items.add(parse(name + ":" + item.trim()));
        }
        return items;
    }

    private static boolean isCount(String text) {
        return COUNT.matcher(text).matches();
    }

    private static int suffix(String text) {
        return text.length() < 2 ? -1 : SUFFIXES.indexOf(Character.toUpperCase(text.charAt(text.length() - 1)));
    }

    private static long parseCount(String text) {
        if (!isCount(text)) {
            throw malformed(text);
        }
        int suffix = suffix(text);
        String digits = suffix < 0 ? text : text.substring(0, text.length() - 1);
        try {
            return Math.multiplyExact(Long.parseLong(digits), 1L << 10 * (suffix + 1));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("gres count is too large, got \"" + text + "\"", e);
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("gres must be name[[:type]:count], got \"" + text + "\"");
    }

    /** Returns whether it is a share of a GPU: mps or shard. */
    public boolean isShared() {
        return name.equals(MPS) || name.equals(SHARD);
    }

    /** Returns whether it asks for, or is, something of a GPU. */
    public boolean isOfGpu() {
        return name.equals(GPU) || isShared();
    }

    /** Returns whether devices of this type are meant. */
    public boolean acceptsType(String other) {
        Objects.requireNonNull(other, "other");
        return type.isEmpty() || type.equals(other);
    }

    @Override
    public String toString() {
        return name + (type.isEmpty() ? "" : ":" + type) + ":" + count;
    }
}
