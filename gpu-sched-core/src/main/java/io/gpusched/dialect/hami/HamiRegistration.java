package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.internal.dialect.RegistrationRecord;
import java.util.List;

/**
 * Reads the GPUs that HAMi's device plugin writes into the node annotation {@value #ANNOTATION}. Newer versions write
 * JSON, which a caller must decode (see {@link HamiDialect#withRegistration}); older ones write this text:
 * {@code UUID,slots,MiB,cores,type,numa,healthy[,index[,mode]]:} for each GPU.
 */
final class HamiRegistration {
    /** The annotation. */
    static final String ANNOTATION = "hami.io/node-nvidia-register";

    private static final List<String> FIELDS = List.of("UUID", "slots", "MiB", "cores", "type", "numa", "healthy");

    private HamiRegistration() {}

    /**
     * Returns the GPUs in a text, nothing of them in use.
     *
     * @throws IllegalArgumentException if a record lacks a field or a number is none
     */
    static List<VgpuDevice> parse(String text) {
        String hint = "\nMaybe it is JSON, as newer versions of HAMi write it; give the dialect a decoder for it.";
        return RegistrationRecord.readAll(ANNOTATION, text, FIELDS, hint, HamiRegistration::device);
    }

    private static VgpuDevice device(RegistrationRecord gpu) {
        return new VgpuDevice(
                gpu.field(0),
                gpu.position(),
                (int) gpu.number(5),
                gpu.field(4),
                gpu.field(8),
                gpu.field(6).equals("true"),
                new VgpuDevice.Amount(0, gpu.number(1)),
                new VgpuDevice.Amount(0, gpu.number(2)),
                new VgpuDevice.Amount(0, gpu.number(3)));
    }
}
