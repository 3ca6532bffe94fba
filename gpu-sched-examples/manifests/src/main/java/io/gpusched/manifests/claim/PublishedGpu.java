package io.gpusched.manifests.claim;

import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.ResourceSlice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One GPU of a node, with all devices that are published of it: the whole GPU, partitions of it, or both.
 *
 * @param node the node
 * @param driver the driver
 * @param devices its devices, each with its slice, in the order in which they are published
 */
record PublishedGpu(String node, String driver, List<Published> devices) {
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

    /** Returns the device that is all of it; empty if only parts are published. */
    Optional<Published> whole() {
        return devices.stream().filter(one -> !one.isPart()).findFirst();
    }

    /** Returns what NVIDIA and AMD call a part like this. */
    static Optional<String> profile(Published part) {
        return part.text("profile").or(() -> part.text("partitionProfile"));
    }
}
