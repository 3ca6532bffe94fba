package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * What one pod takes of one GPU while its containers are being laid out.
 *
 * @param whole whether an ordinary container or a sidecar takes it whole
 * @param computeMillis compute that ordinary containers and sidecars take together
 * @param memoryMib memory that ordinary containers and sidecars take together
 * @param slots slots that ordinary containers and sidecars take together
 * @param initWhole whether an init container takes it whole
 * @param initComputeMillis the most compute that one init container takes with the sidecars before it
 * @param initMemoryMib the most memory that one init container takes with the sidecars before it
 * @param initSlots the most slots that one init container takes with the sidecars before it
 * @param sidecars the sidecars that take part in it, by their position in the pod
 */
public record DeviceUse(
        boolean whole,
        int computeMillis,
        long memoryMib,
        int slots,
        boolean initWhole,
        int initComputeMillis,
        long initMemoryMib,
        int initSlots,
        List<Integer> sidecars) {
    public static final DeviceUse NOTHING = new DeviceUse(false, 0, 0, 0, false, 0, 0, 0, List.of());

    /**
     * Whether a container finds room on the GPU beside what the pod's other containers take.
     *
     * @param before what the sidecars before an init container take; ignored for other containers
     */
    public boolean fits(Container container, DeviceUse before, NodeState node, int gpu) {
        DeviceUse others = container.init() ? before : this;
        if (container.gpu() instanceof GpuRequest.Exclusive) {
            return node.isIdle(gpu) && !others.whole && others.slots == 0;
        }
        return !others.whole && others.fits((GpuRequest.Share) container.gpu(), node, gpu);
    }

    private boolean fits(GpuRequest.Share share, NodeState node, int gpu) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        return node.freeComputeMillis(gpu) >= computeMillis + share.computeMillis()
                && node.freeMemoryMib(gpu) >= memoryMib + share.memory().on(device.memoryMib())
                && node.freeSlots(gpu) >= slots + share.slots();
    }

    /**
     * What the pod takes once this container is laid out here too.
     *
     * @param position the container's position in the pod
     * @param before what the sidecars before an init container take; ignored for other containers
     */
    public DeviceUse plus(Container container, int position, DeviceUse before, NodeState node, int gpu) {
        if (container.gpu() instanceof GpuRequest.Share request) {
            GpuShare share = Layout.share(request, node, gpu);
            return container.init() ? withInit(before, share) : withRunning(share, sidecars(container, position));
        }
        return new DeviceUse(
                whole || !container.init(),
                computeMillis,
                memoryMib,
                slots,
                initWhole || container.init(),
                initComputeMillis,
                initMemoryMib,
                initSlots,
                sidecars(container, position));
    }

    private List<Integer> sidecars(Container container, int position) {
        if (container.kind() != ContainerKind.SIDECAR) {
            return sidecars;
        }
        List<Integer> more = new ArrayList<>(sidecars);
        more.add(position);
        return List.copyOf(more);
    }

    private DeviceUse withRunning(GpuShare share, List<Integer> running) {
        return new DeviceUse(
                whole,
                computeMillis + share.computeMillis(),
                memoryMib + share.memoryMib(),
                slots + share.slots(),
                initWhole,
                initComputeMillis,
                initMemoryMib,
                initSlots,
                running);
    }

    private DeviceUse withInit(DeviceUse before, GpuShare share) {
        return new DeviceUse(
                whole,
                computeMillis,
                memoryMib,
                slots,
                initWhole,
                Math.max(initComputeMillis, before.computeMillis + share.computeMillis()),
                Math.max(initMemoryMib, before.memoryMib + share.memoryMib()),
                Math.max(initSlots, before.slots + share.slots()),
                sidecars);
    }
}
