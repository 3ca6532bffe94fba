package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * In a node annotation with a JSON list of {@code {id, index, count, devmem, devcore, type, numa, health, custominfo}}, whatever
 * the letter case. Devices with the same {@code NetworkID} in {@code custominfo} are connected.
 *
 * @param annotation the annotation, not blank
 */
public record RegisteredJson(String annotation) implements VendorRegistration {
    /**
     * Checks the annotation.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public RegisteredJson {
        Objects.requireNonNull(annotation, "annotation");
        Checks.notBlank("vendor registration", "annotation", annotation);
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        String text = node.annotations().getOrDefault(annotation, "");
        if (text.isBlank()) {
            return List.of();
        }
        List<JsonFields> registered = JsonFields.list(annotation, text, json);
        Set<Long> indexes = new HashSet<>();
        registered.forEach(one -> indexes.add(one.number("index")));
        boolean numbered = indexes.size() == registered.size();
        List<VendorDevice> devices = new ArrayList<>();
        for (JsonFields one : registered) {
            int index = numbered ? Math.toIntExact(one.number("index")) : devices.size();
            VgpuDevice device = one.hamiDevice(index);
            devices.add(new VendorDevice(device, one.object("custominfo").text("networkid"), PartitionGeometry.NONE));
        }
        return devices;
    }
}
