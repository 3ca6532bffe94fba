package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.Gpu;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which GPUs a request accepts. An empty allow list accepts all; a deny list wins over an allow list. Names and UUIDs are
 * compared exactly.
 *
 * @param allowedModels names of {@link io.gpusched.model.GpuModel models}, or none for any
 * @param deniedModels names of models
 * @param allowedUuids UUIDs, or none for any
 * @param deniedUuids UUIDs
 * @param minMemoryMib the least memory that the device must have in total, in MiB
 * @param affinity how close to each other the GPUs of the request are
 */
public record GpuSelector(
        Set<String> allowedModels,
        Set<String> deniedModels,
        Set<String> allowedUuids,
        Set<String> deniedUuids,
        long minMemoryMib,
        GpuAffinity affinity) {
    /** Accepts every GPU. */
    public static final GpuSelector ANY = new GpuSelector(Set.of(), Set.of(), Set.of(), Set.of(), 0, GpuAffinity.ANY);

    /**
     * Copies the sets.
     *
     * @throws IllegalArgumentException if the memory is negative
     */
    public GpuSelector {
        Checks.noNulls("allowedModels", allowedModels);
        Checks.noNulls("deniedModels", deniedModels);
        Checks.noNulls("allowedUuids", allowedUuids);
        Checks.noNulls("deniedUuids", deniedUuids);
        Objects.requireNonNull(affinity, "affinity");
        allowedModels = copy(allowedModels);
        deniedModels = copy(deniedModels);
        allowedUuids = copy(allowedUuids);
        deniedUuids = copy(deniedUuids);
        Checks.inRange("gpu selector", "minMemoryMib", minMemoryMib, 0, Long.MAX_VALUE);
    }

    private static Set<String> copy(Set<String> values) {
        return values.isEmpty() ? Set.of() : java.util.Collections.unmodifiableSet(new TreeSet<>(values));
    }

    /**
     * Accepts GPUs of these models.
     *
     * @throws IllegalArgumentException if no name is given
     */
    public static GpuSelector models(String... names) {
        Checks.noNulls("names", names);
        if (names.length == 0) {
            throw new IllegalArgumentException(
                    "gpu selector: models must be named, got none\nMaybe GpuSelector.ANY accepts what is meant.");
        }
        return new GpuSelector(new TreeSet<>(List.of(names)), Set.of(), Set.of(), Set.of(), 0, GpuAffinity.ANY);
    }

    /** Returns this selector, but accepting only these models; none for any. */
    public GpuSelector withAllowedModels(Set<String> names) {
        Checks.noNulls("names", names);
        return new GpuSelector(names, deniedModels, allowedUuids, deniedUuids, minMemoryMib, affinity);
    }

    /** Returns this selector, but refusing these models. */
    public GpuSelector withDeniedModels(Set<String> names) {
        Checks.noNulls("names", names);
        return new GpuSelector(allowedModels, names, allowedUuids, deniedUuids, minMemoryMib, affinity);
    }

    /** Returns this selector, but accepting only these UUIDs; none for any. */
    public GpuSelector withAllowedUuids(Set<String> uuids) {
        Checks.noNulls("uuids", uuids);
        return new GpuSelector(allowedModels, deniedModels, uuids, deniedUuids, minMemoryMib, affinity);
    }

    /** Returns this selector, but refusing these UUIDs. */
    public GpuSelector withDeniedUuids(Set<String> uuids) {
        Checks.noNulls("uuids", uuids);
        return new GpuSelector(allowedModels, deniedModels, allowedUuids, uuids, minMemoryMib, affinity);
    }

    /** Returns this selector, but demanding this much device memory, in MiB. */
    public GpuSelector withMinMemoryMib(long mib) {
        return new GpuSelector(allowedModels, deniedModels, allowedUuids, deniedUuids, mib, affinity);
    }

    /** Returns this selector with another affinity. */
    public GpuSelector withAffinity(GpuAffinity value) {
        Objects.requireNonNull(value, "value");
        return new GpuSelector(allowedModels, deniedModels, allowedUuids, deniedUuids, minMemoryMib, value);
    }

    /** Returns whether this GPU's model, memory and UUID are accepted; health and use are not looked at. */
    public boolean accepts(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return acceptsModel(gpu)
                && (allowedUuids.isEmpty() || allowedUuids.contains(gpu.uuid()))
                && !deniedUuids.contains(gpu.uuid());
    }

    /** Returns whether this GPU's model and memory are accepted; the UUID is not looked at. */
    public boolean acceptsModel(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return (allowedModels.isEmpty() || allowedModels.contains(gpu.model().name()))
                && (deniedModels.isEmpty() || !deniedModels.contains(gpu.model().name()))
                && gpu.memoryMib() >= minMemoryMib;
    }

    /** Returns whether UUIDs matter, so that GPUs of equal hardware and use may still differ. */
    public boolean looksAtUuids() {
        return !allowedUuids.isEmpty() || !deniedUuids.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text, "of model ", allowedModels);
        append(text, "not of model ", deniedModels);
        append(text, "with uuid ", allowedUuids);
        append(text, "without uuid ", deniedUuids);
        if (minMemoryMib > 0) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append("with at least ")
                    .append(minMemoryMib)
                    .append(" MiB");
        }
        if (!affinity.equals(GpuAffinity.ANY)) {
            text.append(text.isEmpty() ? "" : ", ").append(affinity);
        }
        return text.isEmpty() ? "any GPU" : text.toString();
    }

    private static void append(StringBuilder text, String what, Set<String> values) {
        if (!values.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(what).append(String.join(" or ", values));
        }
    }
}
