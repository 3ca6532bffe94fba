package io.gpusched.dialect.internal;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;

/** What elastic-gpu and GaiaGPU have in common: 100 units of core are one GPU, and memory comes in blocks. */
public final class CoreMemory {
    private CoreMemory() {}

    /**
     * Returns {@code core / 100} whole GPUs.
     *
     * @throws RefusedException if the core is not a multiple of 100: both systems cut it down in silence
     */
    public static GpuRequest whole(ContainerManifest container, String resource, long core, GpuSelector selector) {
        if (core % 100 != 0) {
            throw new RefusedException(
                    Manifests.name(container), resource + " must be below 100 or a multiple of 100, got " + core);
        }
        int gpus = Manifests.within(container, resource, core, 100, 100L * Node.MAX_GPUS) / 100;
        return GpuRequest.exclusive(gpus, selector);
    }

    /** Returns a part of one GPU. */
    public static GpuRequest share(ContainerManifest container, String resource, long core, long memoryMib) {
        if (memoryMib > GpuModel.MAX_MEMORY_MIB) {
            throw new RefusedException(
                    Manifests.name(container),
                    resource + " must be at most " + GpuModel.MAX_MEMORY_MIB + " MiB, got " + memoryMib);
        }
        return GpuRequest.share((int) (10 * core), GpuMemory.mib(memoryMib));
    }

    /** Returns the node with its memory divided evenly among its GPUs, rounded down, which is what it advertises. */
    public static Node node(NodeManifest manifest, long core, long memoryMib) {
        Node.Builder builder = manifest.toNode();
        int gpus = Manifests.whole(Manifests.name(manifest), "number of gpus", core / 100);
        for (int i = 0; i < gpus; i++) {
            GpuModel model = GpuModel.of("nvidia", manifest.nvidiaModel().name(), memoryMib / gpus);
            builder.gpu(Gpu.of(i, Manifests.unnamed(manifest.name(), i), model));
        }
        return builder.build();
    }
}
