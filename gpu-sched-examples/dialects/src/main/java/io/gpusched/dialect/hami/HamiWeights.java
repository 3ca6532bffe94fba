package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much users, compute and memory count in HAMi's score of a GPU; annotation
 * {@value #ANNOTATION}{@code : slot=1,core=1,memory=3}. Scores order GPUs; they never decide what fits.
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

    private static final Set<String> NAMES = Set.of("slot", "core", "memory");
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]+");
    private static final double SCALE = 10;

    /**
     * Checks the weights.
     *
     * @throws IllegalArgumentException if one is negative, which the message names, or none is positive
     */
    public HamiWeights {
        notNegative("slot", slot);
        notNegative("core", core);
        notNegative("memory", memory);
        if (slot == 0 && core == 0 && memory == 0) {
            throw new IllegalArgumentException(ANNOTATION + ": at least one weight must be positive, got all 0");
        }
    }

    private static void notNegative(String name, long weight) {
        if (weight < 0) {
            throw new IllegalArgumentException(
                    ANNOTATION + ": \"" + name + "\" weight must not be negative, got " + weight);
        }
    }

    /**
     * Returns the weights of an annotation; equal ones where there is none.
     *
     * @throws IllegalArgumentException in HAMi's words, if it does not name each of slot, core and memory once with a whole number
     *     that is not negative, one of them positive
     */
    public static HamiWeights parse(@Nullable String annotation) {
        if (annotation == null) {
            return EQUAL;
        }
        String[] parts = annotation.split(",", -1);
        if (parts.length != NAMES.size()) {
            throw invalid(annotation, "expected slot, core, and memory weights");
        }
        Map<String, Long> weights = new HashMap<>();
        for (String part : parts) {
            String[] entry = part.split("=", 2);
            if (entry.length < 2) {
                throw invalid(annotation, "expected key=value entries");
            }
            String name = entry[0].trim();
            if (weights.put(name, weight(annotation, name, entry[1].trim())) != null) {
                throw invalid(annotation, "duplicate \"" + name + "\" weight");
            }
        }
        if (weights.values().stream().allMatch(weight -> weight == 0)) {
            throw invalid(annotation, "at least one weight must be positive");
        }
        return new HamiWeights(
                weights.getOrDefault("slot", 0L), weights.getOrDefault("core", 0L), weights.getOrDefault("memory", 0L));
    }

    private static long weight(String annotation, String name, String text) {
        String what = "\"" + name + "\" weight must ";
        if (!WHOLE.matcher(text).matches()) {
            throw invalid(annotation, what + "be an integer");
        }
        long weight;
        try {
            weight = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid(annotation, what + "be an integer");
        }
        if (weight < 0) {
            throw invalid(annotation, what + "not be negative");
        }
        if (!NAMES.contains(name)) {
            throw invalid(annotation, "unknown weight \"" + name + "\"");
        }
        return weight;
    }

    private static IllegalArgumentException invalid(String annotation, String why) {
        return new IllegalArgumentException("invalid " + ANNOTATION + " annotation \"" + annotation + "\": " + why);
    }

    /**
     * Returns how full a GPU would be with the requests of its type on it: ten times the weighted sum of the parts of
     * slots, compute and memory in use; 0 for a GPU that lacks one of the three. Each request counts as one slot, however
     * many GPUs it is for. Types must be equal: a request for {@code NVIDIA} does not count on a GPU that registers as
     * {@code NVIDIA-A100}, so that only what is in use already tells such GPUs apart. 3 of 10 slots, 2 of 4 compute and 3,072 of 8,192 MiB with equal weights score 11.75.
     */
    public double score(VgpuDevice gpu, List<VgpuRequest> requests) {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(requests, "requests");
        VgpuDevice.Amount slots = gpu.slots();
        VgpuDevice.Amount cores = gpu.cores();
        VgpuDevice.Amount memoryMib = gpu.memoryMib();
        if (slots.total() == 0 || cores.total() == 0 || memoryMib.total() == 0) {
            return 0;
        }
        for (VgpuRequest request : requests) {
            if (request.type().equals(gpu.type())) {
                slots = slots.plus(1);
                cores = cores.plus(request.cores());
                memoryMib = memoryMib.plus(scoredMemoryMib(request, memoryMib.total()));
            }
        }
        return SCALE * (slot * slots.partUsed() + core * cores.partUsed() + memory * memoryMib.partUsed());
    }

    /** In the score the percentage counts even where an amount decides the fit. */
    private static long scoredMemoryMib(VgpuRequest request, long totalMib) {
        return request.memoryPercent().isPresent()
                ? totalMib * request.memoryPercent().getAsInt() / 100
                : request.memoryMib();
    }
}
