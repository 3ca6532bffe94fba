package io.gpusched.dialect;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the GPUs that Volcano's vgpu device plugin writes into the node annotation {@value #ANNOTATION}:
 * {@code UUID,users,MiB,type,healthy[,mode]:} for each GPU.
 */
public final class VolcanoRegistration {
    /** The annotation. */
    public static final String ANNOTATION = "volcano.sh/node-vgpu-register";

    private static final int FIELDS = 5;

    private VolcanoRegistration() {}

    /**
     * Returns the GPUs in a text, nothing of them in use.
     *
     * @throws IllegalArgumentException if a record lacks a field or a number is none; Volcano then knows no GPU of the node
     */
    public static List<VgpuDevice> parse(String text) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (String entry : text.split(":", -1)) {
            if (!entry.isBlank()) {
                gpus.add(parse(entry, gpus.size()));
            }
        }
        return gpus;
    }

    private static VgpuDevice parse(String entry, int position) {
        String[] fields = entry.split(",", -1);
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException(ANNOTATION + ": a gpu has " + FIELDS
                    + " fields or more (UUID,users,MiB,type,healthy), got \"" + entry + "\"");
        }
        try {
            return new VgpuDevice(
                    fields[0].trim(),
                    position,
                    -1,
                    fields[3].trim(),
                    fields.length > FIELDS ? fields[FIELDS].trim() : "",
                    fields[4].trim().equals("true"),
                    new VgpuDevice.Amount(0, Long.parseLong(fields[1].trim())),
                    new VgpuDevice.Amount(0, Long.parseLong(fields[2].trim())),
                    new VgpuDevice.Amount(0, 100));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    ANNOTATION + ": users and MiB must be whole numbers, got \"" + entry + "\"", e);
        }
    }
}
