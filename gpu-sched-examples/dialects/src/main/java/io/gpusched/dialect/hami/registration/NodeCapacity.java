package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * In the node's allocatable resources: so many units of a resource make a device, and so much of another is the memory of
 * all. With 100 units for each device, 400 {@code vcore} are four devices; with 256 MiB for each unit, 1,600
 * {@code vmemory} are 102,400 MiB for each of them.
 *
 * @param resource the resource that counts devices, not blank
 * @param unitsPerDevice how many units make a device, at least 1
 * @param cores compute of a device, in the unit in which containers ask for it, at least 1
 * @param memoryResource the resource that counts the memory of all devices together, or nothing
 * @param unitMib MiB for each unit of it; without a resource the memory of each device
 * @param slots how many tenants may share a device, at least 1
 * @param idStem what stands between the node's name and the device's number in its id
 * @param numaNodes how many NUMA nodes share the devices evenly, at least 1
 */
public record NodeCapacity(
        String resource,
        int unitsPerDevice,
        int cores,
        String memoryResource,
        long unitMib,
        int slots,
        String idStem,
        int numaNodes)
        implements VendorRegistration {
    private static final int ALL_CORES = 100;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public NodeCapacity {
        Checks.notBlank("node capacity", "resource", Objects.requireNonNull(resource, "resource"));
        Objects.requireNonNull(memoryResource, "memoryResource");
        Objects.requireNonNull(idStem, "idStem");
        Checks.inRange("node capacity", "unitsPerDevice", unitsPerDevice, 1, Integer.MAX_VALUE);
        Checks.inRange("node capacity", "cores", cores, 1, Integer.MAX_VALUE);
        Checks.inRange("node capacity", "unitMib", unitMib, 0, Integer.MAX_VALUE);
        Checks.inRange("node capacity", "slots", slots, 1, Integer.MAX_VALUE);
        Checks.inRange("node capacity", "numaNodes", numaNodes, 1, Node.MAX_GPUS);
    }

    /** Returns the registration of devices of so much memory that are only counted; their compute is 100. */
    public static NodeCapacity counted(String resource, long memoryMib, int slots, String idStem) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(idStem, "idStem");
        return new NodeCapacity(resource, 1, ALL_CORES, "", memoryMib, slots, idStem, 1);
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        long units = amount(node, resource);
        long count = (units + unitsPerDevice - 1) / unitsPerDevice;
        Checks.inRange("node \"" + node.name() + "\", " + resource, "number of devices", count, 0, Node.MAX_GPUS);
        long memory = memoryResource.isEmpty() || units == 0
                ? unitMib
                : amount(node, memoryResource) * unitMib * unitsPerDevice / units;
        List<VendorDevice> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(VendorDevice.of(new VgpuDevice(
                    node.name() + idStem + i,
                    i,
                    (int) ((long) i * numaNodes / count),
                    word,
                    "",
                    true,
                    new VgpuDevice.Amount(0, slots),
                    new VgpuDevice.Amount(0, memory),
                    new VgpuDevice.Amount(0, cores))));
        }
        return devices;
    }

    /** Returns a whole amount of a node, 0 where it has none. */
    static long amount(NodeManifest node, String resource) {
        try {
            return node.count(resource);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
        }
    }

    @Override
    public VendorRegistration renamed(Map<String, String> names) {
        Objects.requireNonNull(names, "names");
        return new NodeCapacity(
                names.getOrDefault(resource, resource),
                unitsPerDevice,
                cores,
                names.getOrDefault(memoryResource, memoryResource),
                unitMib,
                slots,
                idStem,
                numaNodes);
    }

    @Override
    public List<String> resources() {
        return memoryResource.isEmpty() ? List.of(resource) : List.of(resource, memoryResource);
    }
}
