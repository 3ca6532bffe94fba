package io.gpusched.dialect.internal;

import io.gpusched.dialect.vgpu.VgpuDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One GPU in the text of a node annotation that lists GPUs between colons and the fields of each between commas.
 *
 * @param annotation the name of the annotation, for messages
 * @param text the record as it stands there
 * @param fields its fields
 * @param position its place in the list, from 0
 */
public record RegistrationRecord(String annotation, String text, List<String> fields, int position) {
    private static final List<String> HAMI_FIELDS = List.of("UUID", "slots", "MiB", "cores", "type", "numa", "healthy");

    /**
     * Reads all GPUs of a text as HAMi's device plugins write it, nothing of them in use:
     * {@code UUID,slots,MiB,cores,type,numa,healthy[,index[,mode]]:} for each GPU.
     *
     * @param hint what may be the matter where one lacks a field; may be empty
     * @throws IllegalArgumentException if a record lacks a field or a number is none
     */
    public static List<VgpuDevice> hamiDevices(String annotation, String text, String hint) {
        return readAll(annotation, text, HAMI_FIELDS, hint, RegistrationRecord::hamiDevice);
    }

    private VgpuDevice hamiDevice() {
        return new VgpuDevice(
                field(0),
                position,
                (int) number(5),
                field(4),
                field(8),
                field(6).equals("true"),
                new VgpuDevice.Amount(0, number(1)),
                new VgpuDevice.Amount(0, number(2)),
                new VgpuDevice.Amount(0, number(3)));
    }

    /**
     * Reads all GPUs of a text.
     *
     * @param names the fields that each record must have, for messages
     * @param hint what may be the matter where one lacks a field; may be empty
     * @throws IllegalArgumentException if a record lacks a field
     */
    public static List<VgpuDevice> readAll(
            String annotation,
            String text,
            List<String> names,
            String hint,
            Function<RegistrationRecord, VgpuDevice> device) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (String entry : text.split(":", -1)) {
            if (entry.isBlank()) {
                continue;
            }
            List<String> fields = List.of(entry.split(",", -1));
            if (fields.size() < names.size()) {
                throw new IllegalArgumentException(annotation + ": a gpu has " + names.size() + " fields or more ("
                        + String.join(",", names) + "), got \"" + entry + "\"" + hint);
            }
            gpus.add(device.apply(new RegistrationRecord(annotation, entry, fields, gpus.size())));
        }
        return gpus;
    }

    /** Returns a field, empty if there are not so many. */
    public String field(int at) {
        return at < fields.size() ? fields.get(at).trim() : "";
    }

    /**
     * Returns a field that is a number.
     *
     * @throws IllegalArgumentException if it is none
     */
    public long number(int at) {
        try {
            return Long.parseLong(field(at));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    annotation + ": \"" + fields.get(at) + "\" must be a whole number, in \"" + text + "\"", e);
        }
    }
}
