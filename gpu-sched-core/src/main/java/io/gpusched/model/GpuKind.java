package io.gpusched.model;

import io.gpusched.internal.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * GPUs of a node that no tenant can tell apart but by index and UUID: equal model, amounts, slots, NUMA node and links.
 *
 * @param sample one of them; its index, UUID and health are its own
 * @param count how many there are, 1..64
 */
public record GpuKind(Gpu sample, int count) {
    /** Checks the values. */
    public GpuKind {
        Objects.requireNonNull(sample, "sample");
        Checks.inRange("gpu kind", "count", count, 1, Node.MAX_GPUS);
    }

    /** Returns the kinds of these GPUs with these links, in the order of the first of each. */
    static List<GpuKind> of(List<Gpu> gpus, GpuLinks links) {
        List<GpuKind> kinds = new ArrayList<>();
        for (Gpu gpu : gpus) {
            int at = 0;
            while (at < kinds.size() && !areOfOneKind(kinds.get(at).sample, gpu, links)) {
                at++;
            }
            if (at < kinds.size()) {
                kinds.set(at, new GpuKind(kinds.get(at).sample, kinds.get(at).count + 1));
            } else {
                kinds.add(new GpuKind(gpu, 1));
            }
        }
        return List.copyOf(kinds);
    }

    /** Returns whether no tenant can tell two GPUs of a node apart but by index and UUID. */
    static boolean areOfOneKind(Gpu gpu, Gpu other, GpuLinks links) {
        return gpu.hasSameHardware(other) && (links.isNone() || links.areAlike(gpu.index(), other.index()));
    }
}
