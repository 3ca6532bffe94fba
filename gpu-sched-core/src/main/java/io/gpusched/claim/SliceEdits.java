package io.gpusched.claim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Slices as they would be without one obstacle. */
final class SliceEdits {
    private static final DeviceAmount AMPLE = DeviceAmount.of(Long.MAX_VALUE);

    private SliceEdits() {}

    static List<ResourceSlice> withoutCounter(List<ResourceSlice> slices, String driver, String counter) {
        return edited(
                slices,
                (slice, device) -> slice.driver().equals(driver)
                        ? with(
                                device,
                                device.capacity(),
                                device.consumes().stream()
                                        .map(use -> new Device.CounterUse(
                                                use.counterSet(),
                                                without(use.counters(), counter),
                                                use.compatibilityGroups()))
                                        .toList(),
                                device.taints())
                        : device);
    }

    static List<ResourceSlice> withAmpleCapacity(List<ResourceSlice> slices, String full) {
        return edited(slices, (slice, device) -> {
            Map<String, DeviceCapacity> capacity = new HashMap<>(device.capacity());
            capacity.replaceAll((name, had) -> (name.indexOf('/') < 0 ? slice.driver() + "/" + name : name).equals(full)
                    ? new DeviceCapacity(AMPLE, had.policy())
                    : had);
            return with(device, capacity, device.consumes(), device.taints());
        });
    }

    static List<ResourceSlice> withoutTaint(List<ResourceSlice> slices, DeviceTaint taint) {
        return edited(
                slices,
                (slice, device) -> with(
                        device,
                        device.capacity(),
                        device.consumes(),
                        device.taints().stream()
                                .filter(one -> !one.equals(taint))
                                .toList()));
    }

    private interface Edit {
        Device of(ResourceSlice slice, Device device);
    }

    private static List<ResourceSlice> edited(List<ResourceSlice> slices, Edit edit) {
        UnaryOperator<ResourceSlice> whole = slice -> new ResourceSlice(
                slice.name(),
                slice.driver(),
                slice.pool(),
                slice.generation(),
                slice.poolSliceCount(),
                slice.scope(),
                slice.counterSets(),
                slice.devices().stream().map(device -> edit.of(slice, device)).toList(),
                slice.skipsNodeOperations());
        return slices.stream().map(whole).toList();
    }

    private static Map<String, DeviceAmount> without(Map<String, DeviceAmount> counters, String counter) {
        Map<String, DeviceAmount> rest = new HashMap<>(counters);
        rest.remove(counter);
        return rest;
    }

    private static Device with(
            Device device,
            Map<String, DeviceCapacity> capacity,
            List<Device.CounterUse> consumes,
            List<DeviceTaint> taints) {
        return new Device(
                device.name(),
                device.attributes(),
                capacity,
                consumes,
                taints,
                device.scope(),
                device.isShareable(),
                device.bindsToNode(),
                device.bindingConditions(),
                device.bindingFailureConditions());
    }
}
