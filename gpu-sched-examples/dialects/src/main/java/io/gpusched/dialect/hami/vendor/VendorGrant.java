package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.List;
import java.util.Map;

/**
 * What a pod holds of a vendor's devices.
 *
 * @param node the name of its node
 * @param labels the labels of its node
 * @param names the names that containers ask under
 * @param containers by container, in the pod's order, what it holds
 */
record VendorGrant(String node, Map<String, String> labels, VendorResources names, List<Container> containers) {
    /**
     * One device.
     *
     * @param index its number among the vendor's devices of the node
     * @param share what is held of it
     * @param profile the profile of the partition that is held, or nothing
     */
    record Held(int index, VgpuShare share, String profile) {}

    /**
     * One container.
     *
     * @param name its name
     * @param held what it holds
     */
    record Container(String name, List<Held> held) {}

    VendorGrant {
        containers = Checks.list("containers", containers);
    }

    /** Returns what all containers hold, in their order. */
    List<Held> held() {
        return containers.stream().flatMap(one -> one.held().stream()).toList();
    }

    /** Returns the shares by container. */
    List<List<VgpuShare>> shares() {
        return containers.stream()
                .map(one -> one.held().stream().map(Held::share).toList())
                .toList();
    }
}
