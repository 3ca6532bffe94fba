package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.internal.dialect.JsonFields;
import io.gpusched.internal.dialect.RegistrationRecord;
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
     * Returns the GPUs in a text, nothing of them in use.
     *
     * @param json reads JSON as maps, lists, texts, numbers and booleans
     * @throws IllegalArgumentException if a record lacks a field or a number is none
     */
    static List<VgpuDevice> parse(String text, Function<String, Object> json) {
        return text.trim().startsWith("[")
                ? JsonFields.hamiDevices(ANNOTATION, text, json)
                : RegistrationRecord.hamiDevices(ANNOTATION, text, "");
    }
}
