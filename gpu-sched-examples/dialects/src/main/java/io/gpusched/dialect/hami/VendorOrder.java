package io.gpusched.dialect.hami;

import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;
import java.util.function.Predicate;

/**
 * HAMi's order of a vendor's devices on a node.
 *
 * @param rules the pod's policy
 * @param vendor whose devices, as the pod shares them
 * @param request what the container asks of them in HAMi's words
 */
record VendorOrder(HamiPodRules rules, HamiVendor vendor, VgpuRequest request) {
    /** Returns the devices that a container may get, the preferred first. */
    List<Integer> gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        GpuRequest asked = container.gpu();
        boolean starts = isStarting(container.kind());
        List<ContainerGrant> alike = earlier.stream()
                .filter(grant -> isStarting(grant.kind()) == starts)
                .toList();
        List<Integer> open = scan(node, earlier, container, device -> isOpen(node, device.index(), asked));
        List<Integer> welcoming = vendor.form().welcoming(node, open, asked, starts ? List.of() : alike);
        return vendor.sets().choose(node, welcoming, asked, alike);
    }

    /** To HAMi sidecars are init containers; each finds the node without the pod. */
    private static boolean isStarting(ContainerKind kind) {
        return kind != ContainerKind.ORDINARY;
    }

    /** Returns the parts of devices that a container gets, each of another device; none if there is no room. */
    List<GpuPartition> partitions(
            NodeState node, List<ContainerGrant> earlier, Container container, GpuRequest.Partition asked) {
        List<Integer> open = scan(node, earlier, container, device -> hasRoom(node, device, asked.profile()));
        GpuRequest devices = GpuRequest.exclusive(asked.instances());
        return vendor.sets().choose(node, open, devices, earlier).stream()
                .limit(asked.instances())
                .map(index -> GpuPartition.of(index, asked.profile(), start(node, index, asked.profile())))
                .toList();
    }

    /** The vendor's devices that are healthy and accepted, and pass one more test, in HAMi's order. */
    private List<Integer> scan(
            NodeState node, List<ContainerGrant> earlier, Container container, Predicate<VgpuDevice> isOpen) {
        List<Gpu> gpus = node.node().gpus();
        GpuSelector accepted = container.gpu().selector();
        return DeviceSort.sorted(rules.order(request), node, this::counted, earlier, container).stream()
                .filter(device -> isOurs(gpus.get(device.index())) && device.healthy())
                .filter(device -> accepted.accepts(gpus.get(device.index())) && isOpen.test(device))
                .map(VgpuDevice::index)
                .toList();
    }

    /** All devices of a node, by index; the vendor's as it counts them. */
    private List<VgpuDevice> counted(NodeState node) {
        return VgpuView.gpus(node).stream()
                .map(device -> isOurs(node.node().gpus().get(device.index()))
                        ? vendor.form().counted(node, device)
                        : device)
                .toList();
    }

    private boolean isOurs(Gpu gpu) {
        return gpu.model().vendor().equals(vendor.vendor());
    }

    /** Whether a device has room, as HAMi sees it: a request for no compute takes none of a device that has none left. */
    private boolean isOpen(NodeState node, int index, GpuRequest asked) {
        Gpu device = node.node().gpus().get(index);
        if (rules.gpuPolicy().isMutex()) {
            return vendor.form().isIdle(node, index);
        }
        if (!(asked instanceof GpuRequest.Share share)) {
            return node.isIdle(index);
        }
        GpuShare part = share.on(device);
        if (part.computeMillis() == Gpu.WHOLE_COMPUTE_MILLIS && part.computeMillis() == device.computeMillis()) {
            return node.isIdle(index);
        }
        return part.computeMillis() <= node.freeComputeMillis(index)
                && part.memoryMib() <= node.freeMemoryMib(index)
                && part.slots() <= node.freeSlots(index)
                && (node.freeComputeMillis(index) > 0 || !vendor.form().needsCompute());
    }

    private boolean hasRoom(NodeState node, VgpuDevice device, String profile) {
        boolean closed = device.isUsed()
                && (!node.isCut(device.index()) || rules.gpuPolicy().isMutex());
        return !closed && start(node, device.index(), profile) >= 0;
    }

    /** The first free place of a profile on a device, or -1. */
    private static int start(NodeState node, int index, String profile) {
        return node.node().gpus().get(index).partitions().profiles().stream()
                .filter(one -> one.name().equals(profile))
                .flatMap(one -> one.starts().stream()
                        .filter(start -> node.hasRoomFor(new GpuPartition(index, profile, start, one.mode()))))
                .findFirst()
                .orElse(-1);
    }
}
