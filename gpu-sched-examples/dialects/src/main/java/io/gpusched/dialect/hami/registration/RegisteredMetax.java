package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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

    private static final String ZONE = "metax-tech.com/link-zone.";

    /** Keeps which devices are the only one of their zone on the node: no connection tells of it. */
    @Override
    public Map<String, String> labels(NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        Map<Long, List<String>> zones = new TreeMap<>();
        for (JsonFields one : registered(node, json)) {
            zones.computeIfAbsent(one.number("linkZone"), zone -> new ArrayList<>())
                    .add(one.text("uuid"));
        }
        Map<String, String> labels = new TreeMap<>();
        zones.forEach((zone, devices) -> {
            if (zone > 0 && devices.size() == 1) {
                labels.put(ZONE + devices.get(0), String.valueOf(zone));
            }
        });
        return labels;
    }

    /** Returns whether a device is the only one of a link zone, by the labels of its node. */
    public static boolean isOnlyOneOfZone(Map<String, String> labels, String uuid) {
        Objects.requireNonNull(labels, "labels");
        Objects.requireNonNull(uuid, "uuid");
        return labels.containsKey(ZONE + uuid);
    }

    private List<JsonFields> registered(NodeManifest node, Function<String, Object> json) {
        String text = node.annotations().getOrDefault(annotation, "");
        return text.isBlank() ? List.of() : JsonFields.list(annotation, text, json);
    }

    @Override
    public List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        List<VendorDevice> devices = new ArrayList<>();
        for (JsonFields one : registered(node, json)) {
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
