package io.gpusched.internal.usage;

import io.gpusched.model.Gpu;
import java.util.ArrayList;
import java.util.List;

/**
 * GPUs of a node that no tenant can tell apart but by index and UUID: equal model, amounts, slots and NUMA node.
 *
 * @param sample one of them; its index, UUID and health are its own
 * @param count how many there are, 1..64
 */
public record GpuKind(Gpu sample, int count) {
    /** Returns the kinds of these GPUs, in the order of the first of each. */
    public static List<GpuKind> of(List<Gpu> gpus) {
        List<GpuKind> kinds = new ArrayList<>();
        for (Gpu gpu : gpus) {
            int at = 0;
            while (at < kinds.size() && !kinds.get(at).sample.hasSameHardware(gpu)) {
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
}
