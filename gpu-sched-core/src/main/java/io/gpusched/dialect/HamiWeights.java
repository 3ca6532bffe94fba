package io.gpusched.dialect;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much users, compute and memory count in HAMi's score of a GPU; annotation
 * {@value #ANNOTATION}{@code : slot=1,core=1,memory=3}.
 *
 * @param slot weight of the share of slots in use, not negative
 * @param core weight of the share of compute in use, not negative
 * @param memory weight of the share of memory in use, not negative; one of the three is positive
 */
public record HamiWeights(long slot, long core, long memory) {
    /** The annotation of a pod that sets them. */
    public static final String ANNOTATION = "hami.io/device-scoring-weights";

    /** All three alike. */
    public static final HamiWeights EQUAL = new HamiWeights(1, 1, 1);

    /**
     * Checks the weights.
     *
     * @throws IllegalArgumentException if one is negative or none is positive
     */
    public HamiWeights {
        if (slot < 0 || core < 0 || memory < 0) {
            throw new IllegalArgumentException(
                    "weights: must not be negative, got slot=" + slot + ",core=" + core + ",memory=" + memory);
        }
        if (slot == 0 && core == 0 && memory == 0) {
            throw new IllegalArgumentException("weights: at least one must be positive, got all 0");
        }
    }

    /**
     * Returns the weights of an annotation; equal ones where there is none.
     *
     * @throws IllegalArgumentException if it does not name each of slot, core and memory once with a whole number that
     *     is not negative, one of them positive
     */
    public static HamiWeights parse(@Nullable String annotation) {
        if (annotation == null) {
            return EQUAL;
        }
        Map<String, Long> weights = new HashMap<>();
        for (String part : annotation.split(",", -1)) {
            String[] entry = part.split("=", 2);
            String name = entry[0].trim();
            if (entry.length < 2 || weights.putIfAbsent(name, number(annotation, entry[1])) != null) {
                throw bad(annotation);
            }
        }
        if (!weights.keySet().equals(java.util.Set.of("slot", "core", "memory"))) {
            throw bad(annotation);
        }
        return new HamiWeights(
                weights.getOrDefault("slot", 0L), weights.getOrDefault("core", 0L), weights.getOrDefault("memory", 0L));
    }

    private static long number(String annotation, String text) {
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw bad(annotation);
        }
    }

    private static IllegalArgumentException bad(String annotation) {
        return new IllegalArgumentException(
                ANNOTATION + ": must name slot, core and memory once each with whole numbers,"
                        + " such as slot=1,core=1,memory=3; got \"" + annotation + "\"");
    }
}
