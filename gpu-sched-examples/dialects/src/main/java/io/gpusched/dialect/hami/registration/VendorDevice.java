package io.gpusched.dialect.hami.registration;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.Objects;

/**
 * A device as a node registers it.
 *
 * @param device what HAMi knows of every device; its index is the one that is registered
 * @param group which devices are connected with each other: those of one group; nothing where that is not told
 * @param partitions how it can be cut, as far as the node tells
 */
public record VendorDevice(VgpuDevice device, String group, PartitionGeometry partitions) {
    /** Checks that nothing is missing. */
    public VendorDevice {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(partitions, "partitions");
    }

    /** Returns a device with nothing else known. */
    public static VendorDevice of(VgpuDevice device) {
        Objects.requireNonNull(device, "device");
        return new VendorDevice(device, "", PartitionGeometry.NONE);
    }
}
