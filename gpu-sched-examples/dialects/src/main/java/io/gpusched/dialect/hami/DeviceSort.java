package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The devices of a node in the order in which HAMi takes them for one container.
 *
 * <p>HAMi sorts one list of devices for each ordinary container of a pod ({@code fitInDevices} in its scheduler), so devices
 * that compare equal stay as the sort for the container before left them. A tie therefore ends in how the two stood before that
 * container, then before the one before it, and at last in the node's own order; of that the last is taken. Each init container
 * starts from the node's own order.
 *
 * <p>Before each of them devices compare by what this container asks: as long as they are of one size, that adds the same to all.
 */
final class DeviceSort {
    private final Comparator<VgpuDevice> order;
    private final NodeState node;
    private final Function<NodeState, List<VgpuDevice>> view;

    /** What the containers hold that chose before, in the order in which they did; of these the ordinary ones run beside this one. */
    private final List<ContainerGrant> earlier;

    /** By device, the last container that holds it; -1 for none. */
    private final int[] last;

    /** By how many of those had chosen: the devices as they were then. */
    private final Map<Integer, List<VgpuDevice>> then = new HashMap<>();

    private DeviceSort(
            Comparator<VgpuDevice> order,
            NodeState node,
            Function<NodeState, List<VgpuDevice>> view,
            List<ContainerGrant> earlier) {
        this.order = order;
        this.node = node;
        this.view = view;
        this.earlier = earlier;
        this.last = last(earlier, node.gpuCount());
    }

    private static int[] last(List<ContainerGrant> earlier, int devices) {
        int[] last = new int[devices];
        Arrays.fill(last, -1);
        int missing = devices;
        for (int container = earlier.size() - 1; container >= 0 && missing > 0; container--) {
            for (long rest = mask(earlier.get(container)); rest != 0; rest &= rest - 1) {
                int index = Long.numberOfTrailingZeros(rest);
                missing -= last[index] < 0 ? 1 : 0;
                last[index] = Math.max(last[index], container);
            }
        }
        return last;
    }

    /**
     * Returns the devices of a node in the order in which they are taken.
     *
     * @param order HAMi's order, which is taken from its end
     * @param node the node with what the containers before this one hold
     * @param view the devices of a state of the node, by index
     * @param earlier what the containers before this one hold, in the order in which they chose
     * @param container the container that chooses
     */
    static List<VgpuDevice> sorted(
            Comparator<VgpuDevice> order,
            NodeState node,
            Function<NodeState, List<VgpuDevice>> view,
            List<ContainerGrant> earlier,
            Container container) {
        List<ContainerGrant> chosen = container.kind() == ContainerKind.ORDINARY ? earlier : List.of();
        List<VgpuDevice> devices = new ArrayList<>(view.apply(node));
        devices.sort(new DeviceSort(order, node, view, chosen)::compare);
        Collections.reverse(devices);
        return devices;
    }

    /** The devices that an ordinary container holds, by index; shares, of which there may be a thousand, without a list of them. */
    private static long mask(ContainerGrant container) {
        long mask = 0;
        if (!isOrdinary(container)) {
            return mask;
        }
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            List<GpuShare> shares = shared.shares();
            for (int i = 0; i < shares.size(); i++) {
                mask |= 1L << shares.get(i).gpu();
            }
        } else {
            for (int index : container.gpus().indexes()) {
                mask |= 1L << index;
            }
        }
        return mask;
    }

    private int compare(VgpuDevice one, VgpuDevice other) {
        VgpuDevice a = one;
        VgpuDevice b = other;
        int result = order.compare(a, b);
        // before the last container that holds one of them there may have been a difference
        for (int chosen = Math.max(last[a.index()], last[b.index()]); result == 0 && chosen >= 0; chosen--) {
            long taken = mask(earlier.get(chosen));
            boolean tookA = (taken >>> a.index() & 1) != 0;
            boolean tookB = (taken >>> b.index() & 1) != 0;
            // devices that are alike, and were taken alike, were alike
            if (tookA != tookB || tookA && !areAlike(a, b)) {
                a = at(chosen, one.index());
                b = at(chosen, other.index());
                result = order.compare(a, b);
            }
        }
        return result;
    }

    private static boolean areAlike(VgpuDevice a, VgpuDevice b) {
        return a.slots().equals(b.slots())
                && a.memoryMib().equals(b.memoryMib())
                && a.cores().equals(b.cores());
    }

    private static boolean isOrdinary(ContainerGrant container) {
        return container.kind() == ContainerKind.ORDINARY;
    }

    /** A device as it was when so many of the containers had chosen. */
    private VgpuDevice at(int chosen, int index) {
        return then.computeIfAbsent(chosen, this::devices).get(index);
    }

    private List<VgpuDevice> devices(int chosen) {
        List<ContainerGrant> later = earlier.subList(chosen, earlier.size()).stream()
                .filter(DeviceSort::isOrdinary)
                .toList();
        return view.apply(node.assumingReleased(later));
    }
}
