package io.gpusched.dialect.volcano;

import io.gpusched.dialect.internal.RegistrationRecord;
import io.gpusched.dialect.vgpu.VgpuDevice;
import java.util.List;

/**
 * Reads the GPUs that Volcano's vgpu device plugin writes into the node annotation {@value #ANNOTATION}:
 * {@code UUID,users,MiB,type,healthy[,mode]:} for each GPU.
 */
final class VolcanoRegistration {
    /** The annotation. */
    static final String ANNOTATION = "volcano.sh/node-vgpu-register";

    private static final List<String> FIELDS = List.of("UUID", "users", "MiB", "type", "healthy");

    private VolcanoRegistration() {}

    /**
     * Returns the GPUs in a text, nothing of them in use.
     *
     * @throws IllegalArgumentException if a record lacks a field or a number is none; Volcano then knows no GPU of the node
     */
    static List<VgpuDevice> parse(String text) {
        return RegistrationRecord.readAll(ANNOTATION, text, FIELDS, "", VolcanoRegistration::device);
    }

    private static VgpuDevice device(RegistrationRecord gpu) {
        return new VgpuDevice(
                gpu.field(0),
                gpu.position(),
                -1,
                gpu.field(3),
                gpu.field(5),
                gpu.field(4).equals("true"),
                new VgpuDevice.Amount(0, gpu.number(1)),
                new VgpuDevice.Amount(0, gpu.number(2)),
                new VgpuDevice.Amount(0, 100));
    }
}
