package io.gpusched.dialect.hami.registration;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.internal.check.Checks;
import io.gpusched.internal.dialect.JsonFields;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * In a node annotation with a JSON list of {@code {uuid, model, totalDevCount, totalCompute, totalVRam, numa, healthy,
 * linkZone}} (MetaX). By which policy a device is shared at the moment follows from its tenants. Devices of one link zone above 0 are connected.
 *
 * @param annotation the annotation, not blank
 */
public record RegisteredMetax(String annotation) implements VendorRegistration {
    /**
     * Checks the annotation.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public RegisteredMetax {
        Objects.requireNonNull(annotation, "annotation");
        Checks.notBlank("vendor registration", "annotation", annotation);
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        String text = node.annotations().getOrDefault(annotation, "");
        List<VendorDevice> devices = new ArrayList<>();
        for (JsonFields one : text.isBlank() ? List.<JsonFields>of() : JsonFields.list(annotation, text, json)) {
            long zone = one.number("linkZone");
            VgpuDevice device = new VgpuDevice(
                    one.text("uuid"),
                    devices.size(),
                    (int) one.number("numa"),
                    word,
                    "",
                    one.flag("healthy"),
                    new VgpuDevice.Amount(0, one.number("totalDevCount")),
                    new VgpuDevice.Amount(0, one.number("totalVRam")),
                    new VgpuDevice.Amount(0, one.number("totalCompute")));
            devices.add(new VendorDevice(device, zone <= 0 ? "" : "zone " + zone, PartitionGeometry.NONE));
        }
        return devices;
    }
}
