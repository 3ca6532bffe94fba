package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.Node;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * In the node's allocatable resources: so many devices and so many cores, two of each device (AWS Neuron).
 *
 * @param deviceResource the resource that counts devices
 * @param coreResource the resource that counts cores
 */
public record NeuronCapacity(String deviceResource, String coreResource) implements VendorRegistration {
    /** The cores of a device. */
    public static final int CORES = 2;

    private static final int ALL_CORES = 100;
    private static final String CORE = "-core-";

    /** Returns the id of a core of a device, which are counted from 0. */
    public static String core(String device, int core) {
        Objects.requireNonNull(device, "device");
        return device + CORE + core;
    }

    /** Returns the id of a core's device. */
    public static String device(String core) {
        Objects.requireNonNull(core, "core");
        int end = core.lastIndexOf(CORE);
        return end < 0 ? core : core.substring(0, end);
    }

    /** Checks that nothing is missing. */
    public NeuronCapacity {
        Objects.requireNonNull(deviceResource, "deviceResource");
        Objects.requireNonNull(coreResource, "coreResource");
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        long count = NodeCapacity.amount(node, deviceResource);
        long cores = NodeCapacity.amount(node, coreResource);
        String what = "node \"" + node.name() + "\"";
        Checks.inRange(what, deviceResource, count, 0, Node.MAX_GPUS / CORES);
        Checks.inRange(what, coreResource + " of " + count + " devices", cores, count * CORES, count * CORES);
        List<VendorDevice> devices = new ArrayList<>();
        for (int i = 0; i < cores; i++) {
            String device = node.name() + "-" + word + "-" + i / CORES;
            String id = core(device, i % CORES);
            VgpuDevice core = new VgpuDevice(
                    id,
                    i,
                    0,
                    word,
                    "",
                    true,
                    new VgpuDevice.Amount(0, 1),
                    new VgpuDevice.Amount(0, 0),
                    new VgpuDevice.Amount(0, ALL_CORES));
            devices.add(new VendorDevice(core, device, PartitionGeometry.NONE));
        }
        return devices;
    }

    @Override
    public VendorRegistration renamed(Map<String, String> names) {
        Objects.requireNonNull(names, "names");
        return new NeuronCapacity(
                names.getOrDefault(deviceResource, deviceResource), names.getOrDefault(coreResource, coreResource));
    }

    @Override
    public List<String> resources() {
        return List.of(deviceResource, coreResource);
    }
}
