package io.gpusched.manifests.claim;

import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.model.partition.MigGeometry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One GPU of a node, with all devices that are published of it: the whole GPU, partitions of it, or both. Not thread-safe. */
final class PublishedGpu {
    private static final Pattern SLICE = Pattern.compile("memory-slice-(\\d+)");
    private static final Pattern LAST_NUMBER = Pattern.compile(".*-(\\d+)");

    private final String node;
    private final String driver;
    private final List<Published> devices = new ArrayList<>();
    private @Nullable Parts parts;

    PublishedGpu(String node, String driver) {
        this.node = node;
        this.driver = driver;
    }

    /**
     * What its parts are.
     *
     * @param areKnown whether there are some, all such that its model is known to have
     * @param wholeProfiles the profiles of its model whose parts are all published
     */
    private record Parts(boolean areKnown, Set<String> wholeProfiles) {}

    private static final BigInteger MIB = BigInteger.TEN.pow(9).shiftLeft(20);

    /** Attributes that say which GPU a device is, or is a part of. NVIDIA's partitions name the whole by {@code parentUUID}. */
    private static final List<String> IDENTITIES =
            List.of("parentUUID", "uuid", "pciBusID", "parentPciAddr", "pciAddr", "gpuIndex");

    /**
     * A device where it is published.
     *
     * @param slice its slice
     * @param device the device
     */
    record Published(ResourceSlice slice, Device device) {
        /** Whether it is a GPU, or a part of one, and no channel between GPUs. */
        boolean isGpu() {
            return PublishedGpus.isGpu(slice.driver());
        }

        /** Whether it is a part of a GPU. */
        boolean isPart() {
            String type = text("type").orElse("gpu");
            return type.equals("mig") || type.endsWith("-partition");
        }

        /** Names of the GPU: a device of equal name is of the same. A device without any is a GPU by itself. */
        List<String> names() {
            List<String> names = new ArrayList<>();
            for (String identity : IDENTITIES) {
                attribute(identity)
                        .filter(value -> !value.elements().isEmpty())
                        .ifPresent(value -> names.add(value.elements().get(0).toString()));
            }
            if (names.isEmpty()) {
                device.consumes().forEach(use -> names.add("counters " + use.counterSet()));
            }
            return names.isEmpty() ? List.of("device " + device.name()) : names;
        }

        /** The first attribute of a name, whatever its domain. */
        Optional<AttributeValue> attribute(String name) {
            return device.attributes().entrySet().stream()
                    .filter(entry ->
                            entry.getKey().equals(name) || entry.getKey().endsWith("/" + name))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }

        Optional<String> text(String name) {
            return attribute(name)
                    .filter(value -> value.type() == AttributeValue.Type.TEXT)
                    .map(value -> (String) value.elements().get(0));
        }

        long memoryMib() {
            return device.capacity().entrySet().stream()
                    .filter(entry ->
                            entry.getKey().equals("memory") || entry.getKey().endsWith("/memory"))
                    .map(Map.Entry::getValue)
                    .map(DeviceCapacity::value)
                    .map(DeviceAmount::billionths)
                    .mapToLong(amount -> amount.divide(MIB).longValue())
                    .findFirst()
                    .orElse(0);
        }
    }

    String node() {
        return node;
    }

    String driver() {
        return driver;
    }

    void add(Published device) {
        devices.add(device);
        parts = null;
    }

    /** Its devices, each with its slice, in the order in which they are published. */
    List<Published> devices() {
        return devices;
    }

    /** Returns the device that is all of it; empty if only parts are published. */
    Optional<Published> whole() {
        return devices.stream().filter(one -> !one.isPart()).findFirst();
    }

    /** Whether all parts of it are such that its model is known to have. */
    boolean isPartitionable() {
        return parts().areKnown();
    }

    /** Whether the parts of a profile that are published of it are all that its model has. */
    boolean isWholeProfile(String profile) {
        return parts().wholeProfiles().contains(profile);
    }

    private Parts parts() {
        Parts known = parts == null ? readParts() : parts;
        parts = known;
        return known;
    }

    private Parts readParts() {
        Map<String, List<Integer>> had = new HashMap<>();
        whole().flatMap(whole -> MigGeometry.ofProduct(
                        whole.text("productName").orElse("").replace(' ', '-'), whole.memoryMib()))
                .ifPresent(mig -> mig.geometry().profiles().forEach(one -> had.put(one.name(), one.starts())));
        Map<String, List<Integer>> published = new HashMap<>();
        boolean areKnown = true;
        for (Published part : devices) {
            if (part.isPart()) {
                String profile = profile(part).orElse("");
                Optional<Integer> start = start(part);
                start.ifPresent(one -> published
                        .computeIfAbsent(profile, any -> new ArrayList<>())
                        .add(one));
                areKnown &= start.filter(had.getOrDefault(profile, List.of())::contains)
                        .isPresent();
            }
        }
        published.values().forEach(starts -> starts.sort(Comparator.naturalOrder()));
        Set<String> wholeProfiles = new HashSet<>(published.keySet());
        wholeProfiles.removeIf(profile -> !Objects.equals(published.get(profile), had.get(profile)));
        return new Parts(areKnown && !published.isEmpty(), wholeProfiles);
    }

    /** Returns what NVIDIA and AMD call a part like this. */
    static Optional<String> profile(Published part) {
        return part.text("profile").or(() -> part.text("partitionProfile"));
    }

    /** Where a partition begins: the first slice of memory that it takes, else the number at the end of its name. */
    static Optional<Integer> start(Published part) {
        return part.device().consumes().stream()
                .flatMap(use -> use.counters().keySet().stream())
                .map(SLICE::matcher)
                .filter(Matcher::matches)
                .map(number -> Integer.valueOf(number.group(1)))
                .min(Comparator.naturalOrder())
                .or(() -> Optional.of(LAST_NUMBER.matcher(part.device().name()))
                        .filter(Matcher::matches)
                        .map(number -> Integer.valueOf(number.group(1))));
    }
}
