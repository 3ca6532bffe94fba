package io.gpusched.claim;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Small worlds of devices and claims. */
final class ClaimWorlds {
    static final String DRIVER = "gpu.example.com";
    static final ClaimNode NODE = ClaimNode.of(
            Node.builder("n1").gpus(0, GpuModel.of("nvidia", "x", 1)).build());
    static final List<DeviceClass> CLASSES = List.of(DeviceClass.of("gpu", DeviceSelector.driver(DRIVER)));

    private static final int SLICES = 7;

    private ClaimWorlds() {}

    static DeviceId id(String device) {
        return new DeviceId(DRIVER, "n1", device);
    }

    static List<ResourceSlice> slice(Device... devices) {
        return List.of(ResourceSlice.of("n1-0", DRIVER, "n1", new NodeScope.Named("n1"), List.of(devices)));
    }

    static List<ResourceSlice> gpus(int count) {
        Device[] devices = new Device[count];
        for (int i = 0; i < count; i++) {
            devices[i] = Device.builder("gpu-" + i).build();
        }
        return slice(devices);
    }

    static DeviceSelector attribute(String name, Object value) {
        return DeviceSelector.of(
                name + " == " + value,
                (slice, device) -> device.attributes().containsKey(name)
                        && device.attributes().get(name).elements().equals(List.of(value)));
    }

    static DeviceRequest partition(String name, long slices, long count) {
        return DeviceRequest.builder(name, "gpu")
                .selector(attribute("slices", slices))
                .count(count)
                .build();
    }

    /** GPUs of seven slices: partitions of 1 anywhere, of 2 at 0, 2 and 4, of 4 at 0, of 7. */
    static List<ResourceSlice> cutGpus(int gpus) {
        List<ResourceSlice> slices = new ArrayList<>();
        List<ResourceSlice.CounterSet> sets = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            Map<String, DeviceAmount> counters = new TreeMap<>();
            for (int i = 0; i < SLICES; i++) {
                counters.put("slice-" + i, DeviceAmount.of(1));
            }
            sets.add(new ResourceSlice.CounterSet("gpu-" + gpu, counters));
        }
        slices.add(slice("n1-0", gpus, sets, List.of()));
        for (int gpu = 0; gpu < gpus; gpu++) {
            List<Device> devices = new ArrayList<>();
            for (int size : new int[] {1, 2, 4, 7}) {
                for (int start = 0; start + size <= SLICES; start += size == 4 ? SLICES : size) {
                    devices.add(partition(gpu, size, start));
                }
            }
            slices.add(slice("n1-" + (gpu + 1), gpus, List.of(), devices));
        }
        return slices;
    }

    private static ResourceSlice slice(
            String name, int gpus, List<ResourceSlice.CounterSet> sets, List<Device> devices) {
        return new ResourceSlice(name, DRIVER, "n1", 1, gpus + 1, new NodeScope.Named("n1"), sets, devices, false);
    }

    private static Device partition(int gpu, int size, int start) {
        Map<String, DeviceAmount> counters = new TreeMap<>();
        for (int i = start; i < start + size; i++) {
            counters.put("slice-" + i, DeviceAmount.of(1));
        }
        return Device.builder("gpu-" + gpu + "-" + size + "g-" + start)
                .attribute("slices", AttributeValue.of(size))
                .attribute("parent", AttributeValue.of("gpu-" + gpu))
                .capacity("memory", DeviceCapacity.of(DeviceAmount.of(size)))
                .consumes(Device.CounterUse.of("gpu-" + gpu, counters))
                .build();
    }
}
