package io.gpusched.dialect.hami;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which MIG instances a pod holds, as HAMi's scheduler writes it for its device plugin, which then makes them. */
final class HamiMigAllocations {
    /** The annotation of a pod. */
    static final String ANNOTATION = "hami.io/vgpu-mig-allocations";

    /** The instances of a container in the order in which HAMi places them. */
    private static final Comparator<GpuPartition> AS_PLACED = Comparator.comparingInt(GpuPartition::gpu)
            .thenComparingInt(
                    partition -> HamiMigPolicy.isPlacedHigh(partition) ? -partition.start() : partition.start());

    private HamiMigAllocations() {}

    /** Returns the instances that a container gets, in the order in which HAMi places them. */
    static List<GpuPartition> of(GpuGrant grant, Node node) {
        return grant instanceof GpuGrant.Partitions held
                ? held.partitions().stream()
                        .filter(partition -> HamiMig.isIn(node.gpus().get(partition.gpu())))
                        .sorted(AS_PLACED)
                        .toList()
                : List.of();
    }

    /** Returns the text for a placed pod; nothing if it gets no instance. */
    static Optional<String> write(Placement placement, Node node) {
        List<String> records = new ArrayList<>();
        for (int c = 0; c < placement.containers().size(); c++) {
            List<GpuPartition> held = of(placement.containers().get(c).gpus(), node);
            for (int i = 0; i < held.size(); i++) {
                records.add(
                        record(c, i, held.get(i), node.gpus().get(held.get(i).gpu())));
            }
        }
        return records.isEmpty() ? Optional.empty() : Optional.of("[" + String.join(",", records) + "]");
    }

    private static String record(int container, int device, GpuPartition partition, Gpu gpu) {
        return "{\"containerIndex\":%d,\"deviceIndex\":%d,\"gpuUUID\":\"%s\",\"profile\":\"%s\",\"placement\":{\"start\":%d,\"size\":%d}}"
                .formatted(
                        container,
                        device,
                        gpu.uuid(),
                        partition.profile(),
                        partition.start(),
                        HamiMig.profile(gpu, partition).size());
    }

    /**
     * Returns the instances that a running pod's annotation names for a container, in their order.
     *
     * @throws IllegalArgumentException if the text is not readable or names what the node does not have, or if the pod holds a GPU in
     *     MIG mode and nothing says which instance of it
     */
    static List<GpuPartition> read(
            PodManifest manifest, int container, List<Integer> heldGpus, Node node, Function<String, Object> json) {
        String text = manifest.annotations().getOrDefault(ANNOTATION, "");
        List<GpuPartition> held = new ArrayList<>();
        for (JsonFields one : text.isBlank() ? List.<JsonFields>of() : JsonFields.list(ANNOTATION, text, json)) {
            if (one.number("containerIndex") == container) {
                Gpu gpu = node.gpus().get(VgpuView.index(node, one.text("gpuUUID")));
                GpuPartition partition = GpuPartition.of(gpu.index(), one.text("profile"), (int)
                        one.object("placement").number("start"));
                HamiMig.profile(gpu, partition);
                held.add(partition);
            }
        }
        for (int gpu : heldGpus) {
            boolean isNamed = held.stream().anyMatch(partition -> partition.gpu() == gpu);
            if (HamiMig.isIn(node.gpus().get(gpu)) && !isNamed) {
                throw new IllegalArgumentException("pod \"" + manifest.id() + "\" holds gpu \""
                        + node.gpus().get(gpu).uuid() + "\", which is in MIG mode, but " + ANNOTATION
                        + " does not say which instance of it");
            }
        }
        held.sort(null);
        return held;
    }
}
