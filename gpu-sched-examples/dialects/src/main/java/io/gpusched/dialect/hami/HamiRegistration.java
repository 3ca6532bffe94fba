package io.gpusched.dialect.hami;

import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.internal.RegistrationRecord;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the GPUs that HAMi's device plugin writes into the node annotation {@value #ANNOTATION}: newer versions in JSON,
 * older ones in a text of their own.
 */
final class HamiRegistration {
    /** The annotation. */
    static final String ANNOTATION = "hami.io/node-nvidia-register";

    /** Stands for a reader of JSON where none was given. */
    static final Function<String, Object> NO_JSON = text -> {
        throw new IllegalArgumentException(
                "is JSON, got \"" + text + "\"\nMaybe the dialect was given no reader of JSON.");
    };

    private HamiRegistration() {}

    /**
     * A GPU.
     *
     * @param device what is registered of it, nothing of it in use
     * @param instances how it is cut into MIG instances; {@link PartitionGeometry#NONE} where it is not
     */
    record Registered(VgpuDevice device, PartitionGeometry instances) {
        /** Returns whether it is in MIG mode and registers no profile, so that it takes nothing. */
        boolean lacksProfiles() {
            return device.mode().equals(HamiPodRules.MIG) && instances.isNone();
        }
    }

    /**
     * Returns the GPUs in a text.
     *
     * @param json reads JSON as maps, lists, texts, numbers and booleans
     * @throws IllegalArgumentException if a record lacks a field or a number is none
     */
    static List<Registered> parse(String text, Function<String, Object> json) {
        List<Registered> gpus = new ArrayList<>();
        if (text.trim().startsWith("[")) {
            for (JsonFields gpu : JsonFields.list(ANNOTATION, text, json)) {
                VgpuDevice device = gpu.hamiDevice(gpus.size());
                boolean isMig = device.mode().equals(HamiPodRules.MIG);
                gpus.add(new Registered(device, isMig ? HamiMig.geometry(gpu) : PartitionGeometry.NONE));
            }
        } else {
            RegistrationRecord.hamiDevices(ANNOTATION, text, "")
                    .forEach(device -> gpus.add(new Registered(device, PartitionGeometry.NONE)));
        }
        return gpus;
    }
}
