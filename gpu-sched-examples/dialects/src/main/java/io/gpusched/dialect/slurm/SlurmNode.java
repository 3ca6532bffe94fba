package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Slurm node in the library's terms: GPUs whose model is their gres type, and labels {@code gres/mps} and
 * {@code gres/shard} with the node's total, which is split over its GPUs as slots.
 *
 * <p>Each GPU is whole or shared by its first tenant, and free again when the last one leaves. A node that offers both
 * mps and shard is not supported.
 */
public final class SlurmNode {
    private static final String LABEL = "gres/";

    private SlurmNode() {}

    /**
     * Returns a node with the resources of a line such as {@code gpu:a100:4,mps:400}.
     *
     * @param name its name
     * @param cpus its CPUs
     * @param memoryMib its memory
     * @param gres its generic resources
     * @throws IllegalArgumentException if shares are offered without GPUs, more than a GPU can be split into, or mps and shard at once
     */
    public static Node of(String name, long cpus, long memoryMib, List<SlurmGres> gres) {
        Checks.noNulls("gres", gres);
        List<Gpu> gpus = new ArrayList<>();
        for (SlurmGres item : gres) {
            for (int i = 0; item.name().equals(SlurmGres.GPU) && i < item.count(); i++) {
                GpuModel model = GpuModel.of("nvidia", item.type().isEmpty() ? "gpu" : item.type(), 0);
                gpus.add(Gpu.of(gpus.size(), Manifests.unnamed(name, gpus.size()), model));
            }
        }
        Node.Builder builder =
                Node.builder(name).capacity(cpus * 1_000, memoryMib).maxPods(1_000_000);
        Optional<SlurmGres> shared = shared(name, gres, gpus.size());
        shared.ifPresent(item -> {
            Checks.inRange("node \"" + name + "\"", item.name(), item.count(), 0, Integer.MAX_VALUE);
            builder.label(label(item.name()), String.valueOf(item.count()));
        });
        List<Long> slots = split(shared.map(SlurmGres::count).orElse((long) gpus.size()), gpus.size());
        for (Gpu gpu : gpus) {
            builder.gpu(gpu.withSlots(Math.max(1, Math.toIntExact(slots.get(gpu.index())))));
        }
        return builder.build();
    }

    private static Optional<SlurmGres> shared(String name, List<SlurmGres> gres, int gpus) {
        List<SlurmGres> shared = gres.stream().filter(SlurmGres::isShared).toList();
        if (shared.size() > 1 || !shared.isEmpty() && gpus == 0) {
            throw new IllegalArgumentException("node \"" + name
                    + "\": gres must offer at most one of mps and shard, and only together with gpu, got " + gres);
        }
        return shared.stream().findFirst();
    }

    /** Splits a node's total evenly; what remains goes to the last. */
    static List<Long> split(long total, int devices) {
        List<Long> parts = new ArrayList<>();
        long left = total;
        for (int remaining = devices; remaining > 0; remaining--) {
            parts.add(left / remaining);
            left -= left / remaining;
        }
        return parts;
    }

    /** Returns how much of a shared resource a node offers in total; 0 for none. */
    public static long total(Node node, String name) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(name, "name");
        return Long.parseLong(node.labels().getOrDefault(label(name), "0"));
    }

    /** Returns whether an empty node of this kind could give this: what Slurm asks before it queues a job. */
    public static boolean couldGive(Node node, SlurmGres gres) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(gres, "gres");
        if (!gres.isOfGpu() || gres.count() == 0) {
            return gres.count() == 0;
        }
        long matching = node.gpus().stream()
                .filter(gpu -> gres.acceptsType(gpu.model().name()))
                .count();
        return gres.isShared() ? matching > 0 && gres.count() <= total(node, gres.name()) : gres.count() <= matching;
    }

    /** The label of nodes that offer a shared resource. */
    static String label(String name) {
        return LABEL + name;
    }
}
