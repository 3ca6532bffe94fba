package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;

/**
 * What one pod takes of one GPU while its containers are being laid out.
 *
 * @param whole whether an ordinary container takes it whole
 * @param computeMillis compute that ordinary containers take together
 * @param memoryMib memory that ordinary containers take together
 * @param slots slots that ordinary containers take together
 * @param initWhole whether an init container takes it whole
 * @param initComputeMillis the most compute that one init container takes
 * @param initMemoryMib the most memory that one init container takes
 * @param initSlots the most slots that one init container takes
 */
public record DeviceUse(
        boolean whole,
        int computeMillis,
        long memoryMib,
        int slots,
        boolean initWhole,
        int initComputeMillis,
        long initMemoryMib,
        int initSlots) {
    public static final DeviceUse NOTHING = new DeviceUse(false, 0, 0, 0, false, 0, 0, 0);

    /** Whether a container finds room on the GPU beside what the pod's other containers take. */
    public boolean fits(Container container, NodeState node, int gpu) {
        if (container.gpu() instanceof GpuRequest.Exclusive) {
            return node.isIdle(gpu) && (container.init() || !whole && slots == 0);
        }
        GpuRequest.Share share = (GpuRequest.Share) container.gpu();
        if (container.init()) {
            return fits(share, node, gpu, 0, 0, 0);
        }
        return !whole && fits(share, node, gpu, computeMillis, memoryMib, slots);
    }

    private static boolean fits(GpuRequest.Share share, NodeState node, int gpu, int compute, long memory, int slots) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        return node.freeComputeMillis(gpu) >= compute + share.computeMillis()
                && node.freeMemoryMib(gpu) >= memory + share.memory().on(device.memoryMib())
                && node.freeSlots(gpu) >= slots + share.slots();
    }

    /** What the pod takes once this container is laid out here too. */
    public DeviceUse plus(Container container, NodeState node, int gpu) {
        if (container.gpu() instanceof GpuRequest.Share request) {
            GpuShare share = Layout.share(request, node, gpu);
            return container.init() ? withInit(share) : withOrdinary(share);
        }
        return new DeviceUse(
                whole || !container.init(),
                computeMillis,
                memoryMib,
                slots,
                initWhole || container.init(),
                initComputeMillis,
                initMemoryMib,
                initSlots);
    }

    private DeviceUse withOrdinary(GpuShare share) {
        return new DeviceUse(
                whole,
                computeMillis + share.computeMillis(),
                memoryMib + share.memoryMib(),
                slots + share.slots(),
                initWhole,
                initComputeMillis,
                initMemoryMib,
                initSlots);
    }

    private DeviceUse withInit(GpuShare share) {
        return new DeviceUse(
                whole,
                computeMillis,
                memoryMib,
                slots,
                initWhole,
                Math.max(initComputeMillis, share.computeMillis()),
                Math.max(initMemoryMib, share.memoryMib()),
                Math.max(initSlots, share.slots()));
    }
}
