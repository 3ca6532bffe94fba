package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.RegistrationRecord;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * In a node annotation with the text {@code UUID,slots,MiB,cores,type,numa,healthy[,index,mode]:} for each device.
 *
 * @param annotation the annotation, not blank
 */
public record RegisteredText(String annotation) implements VendorRegistration {
    /**
     * Checks the annotation.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public RegisteredText {
        Objects.requireNonNull(annotation, "annotation");
        Checks.notBlank("vendor registration", "annotation", annotation);
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        String text = node.annotations().getOrDefault(annotation, "");
        return RegistrationRecord.hamiDevices(annotation, text, "").stream()
                .map(VendorDevice::of)
                .toList();
    }
}
