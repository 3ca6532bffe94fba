package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import java.util.List;

/**
 * How many GPUs containers need at least, whatever these hold.
 *
 * @param ordinaryWhole the GPUs that those that keep running hold whole together
 * @param gpus the least number of GPUs of a node that could ever do
 */
public record GpuNeed(int ordinaryWhole, int gpus) {
    /** Returns what these containers of one pod need; O(containers). */
    public static GpuNeed of(List<Container> containers) {
        int whole = 0;
        int shared = 0;
        int sidecars = 0;
        int init = 0;
        for (Container container : containers) {
            int count = container.gpu().count();
            if (container.kind() == ContainerKind.INIT) {
                init = Math.max(init, sidecars + count);
            } else if (!GpuTake.isWhole(container.gpu())) {
                shared = Math.max(shared, count);
            } else {
                whole += count;
                sidecars += container.kind() == ContainerKind.SIDECAR ? count : 0;
            }
        }
        return new GpuNeed(whole, Math.max(init, whole + shared));
    }
}
