package io.gpusched.dialect;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the GPUs that HAMi's device plugin writes into the node annotation {@value #ANNOTATION}. Newer versions write
 * JSON, which a caller must decode (see {@link HamiDialect#withRegistration}); older ones write this text:
 * {@code UUID,slots,MiB,cores,type,numa,healthy[,index[,mode]]:} for each GPU.
 */
public final class HamiRegistration {
    /** The annotation. */
    public static final String ANNOTATION = "hami.io/node-nvidia-register";

    private static final int FIELDS = 7;

    private HamiRegistration() {}

    /**
     * Returns the GPUs in a text, nothing of them in use.
     *
     * @throws IllegalArgumentException if a record lacks a field or a number is none
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
                    + " fields or more (UUID,slots,MiB,cores,type,numa,healthy), got \"" + entry + "\"\n"
                    + "Maybe it is JSON, as newer versions of HAMi write it; give the dialect a decoder for it.");
        }
        return new VgpuDevice(
                fields[0].trim(),
                position,
                (int) number(entry, fields[5]),
                fields[4].trim(),
                fields.length > FIELDS + 1 ? fields[FIELDS + 1].trim() : "",
                fields[6].trim().equals("true"),
                new VgpuDevice.Amount(0, number(entry, fields[1])),
                new VgpuDevice.Amount(0, number(entry, fields[2])),
                new VgpuDevice.Amount(0, number(entry, fields[3])));
    }

    private static long number(String entry, String field) {
        try {
            return Long.parseLong(field.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    ANNOTATION + ": \"" + field + "\" must be a whole number, in \"" + entry + "\"", e);
        }
    }
}
