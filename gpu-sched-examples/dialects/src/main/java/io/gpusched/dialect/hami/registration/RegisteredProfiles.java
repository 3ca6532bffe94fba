package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In a node annotation with {@code {devices: [{index, minor, capacity}], profiles: {"3g.20gb": "1", ...}}} (Enflame DRS): each
 * device is cut into partitions, of slices up to its capacity, memory up to the largest profile's, and compute in proportion to
 * the slices of the largest.
 *
 * @param annotation the annotation, not blank
 */
public record RegisteredProfiles(String annotation) implements VendorRegistration {
    /** The name under which profiles count slices. */
    public static final String SLICES = "slices";

    /** The name under which profiles count compute, in percent. */
    public static final String CORES = "cores";

    private static final String MEMORY = "memory-mib";
    private static final String MINOR = "enflame.com/gcu-minor-";
    private static final String PROFILE = "enflame.com/gcu-profile-";
    private static final Pattern NAME = Pattern.compile("(\\d{1,4})g\\.(\\d{1,5})gb");
    private static final int ALL_CORES = 100;
    private static final int MILLIS_PER_CORE = 10;
    private static final int MIB_PER_GB = 1_024;

    /**
     * Checks the annotation.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public RegisteredProfiles {
        Objects.requireNonNull(annotation, "annotation");
        Checks.notBlank("vendor registration", "annotation", annotation);
    }

    /** A profile by its name. */
    private record Size(String name, int slices, long memoryMib) {}

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        List<VendorDevice> devices = new ArrayList<>();
        JsonFields told = told(node, json);
        List<Size> sizes = sizes(told);
        for (JsonFields one : told.list("devices")) {
            int slices = (int) Checks.inRange(annotation, "capacity", one.whole("capacity"), 1, 255);
            long memory = sizes.stream().mapToLong(Size::memoryMib).max().orElse(0);
            VgpuDevice device = new VgpuDevice(
                    node.name() + "-enflame-drs-" + one.text("index"),
                    (int) one.whole("index"),
                    0,
                    word,
                    "",
                    true,
                    new VgpuDevice.Amount(0, slices),
                    new VgpuDevice.Amount(0, memory),
                    new VgpuDevice.Amount(0, ALL_CORES));
            devices.add(new VendorDevice(device, "", geometry(slices, memory, sizes)));
        }
        return devices;
    }

    private JsonFields told(NodeManifest node, Function<String, Object> json) {
        String text = node.annotations().getOrDefault(annotation, "");
        return text.isBlank() ? new JsonFields(annotation, Map.of()) : JsonFields.object(annotation, text, json);
    }

    private List<Size> sizes(JsonFields told) {
        List<Size> sizes = new ArrayList<>();
        for (String name : told.object("profiles").fields().keySet()) {
            Matcher parts = NAME.matcher(name);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        annotation + ": a profile must be called like 3g.20gb, got \"" + name + "\"");
            }
            sizes.add(new Size(name, Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)) * MIB_PER_GB));
        }
        sizes.sort(Comparator.comparingInt(Size::slices).thenComparingLong(Size::memoryMib));
        return sizes;
    }

    private static PartitionGeometry geometry(int capacity, long memoryMib, List<Size> sizes) {
        int largest = sizes.isEmpty() ? 1 : sizes.get(sizes.size() - 1).slices();
        Map<String, Long> totals = Map.of(SLICES, (long) capacity, MEMORY, memoryMib, CORES, (long) ALL_CORES);
        List<PartitionProfile> profiles = new ArrayList<>();
        for (Size size : sizes) {
            int cores = (size.slices() * ALL_CORES + largest - 1) / Math.max(1, largest);
            long most = Math.min(
                    Math.min(capacity / Math.max(1, size.slices()), ALL_CORES / Math.max(1, cores)),
                    memoryMib / Math.max(1, size.memoryMib()));
            if (most > 0) {
                profiles.add(PartitionProfile.template(size.name(), (int) most)
                        .withMemoryMib(size.memoryMib())
                        .withComputeMillis(cores * MILLIS_PER_CORE)
                        .withCounters(NamedAmounts.of(
                                Map.of(SLICES, (long) size.slices(), MEMORY, size.memoryMib(), CORES, (long) cores))));
            }
        }
        return profiles.isEmpty()
                ? PartitionGeometry.NONE
                : PartitionGeometry.of("drs", 0, NamedAmounts.of(totals), profiles)
                        .withAlwaysCut(true);
    }

    /** Keeps what grants state of devices and profiles: minor numbers and profile ids. */
    @Override
    public Map<String, String> labels(NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        JsonFields told = told(node, json);
        Map<String, String> labels = new TreeMap<>();
        told.list("devices")
                .forEach(one -> labels.put(
                        MINOR + one.text("index"),
                        one.text("minor").isEmpty() ? one.text("index") : one.text("minor")));
        told.object("profiles").fields().forEach((name, id) -> labels.put(PROFILE + name, String.valueOf(id)));
        return labels;
    }

    /** Returns the minor number of a device by the labels of its node. */
    public static String minor(Map<String, String> labels, String index) {
        Objects.requireNonNull(labels, "labels");
        Objects.requireNonNull(index, "index");
        return labels.getOrDefault(MINOR + index, index);
    }

    /** Returns the id of a profile by the labels of its node. */
    public static String profileId(Map<String, String> labels, String profile) {
        Objects.requireNonNull(labels, "labels");
        Objects.requireNonNull(profile, "profile");
        return labels.getOrDefault(PROFILE + profile, "");
    }
}
