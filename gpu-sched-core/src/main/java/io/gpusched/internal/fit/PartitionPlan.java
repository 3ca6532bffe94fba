package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * In which order the partitions of a pod are placed: those of containers that keep running before those of init containers. A
 * <em>unit</em> is one partition of one container.
 */
final class PartitionPlan {
    /** The containers that ask for partitions, in the pod's order. */
    final List<Container> containers;

    /** By container: its request, and where it stands in the pod among those that ask for GPUs. */
    final List<GpuRequest.Partition> requests;

    private final int[] position;

    /** By unit: its container. */
    final int[] container;

    PartitionPlan(PodDemand demand) {
        List<Container> asking = demand.gpuContainers();
        containers = asking.stream().filter(one -> one.gpu().takesPartitions()).toList();
        requests = demand.partitions();
        position = containers.stream().mapToInt(asking::indexOf).toArray();
        List<Integer> order = new ArrayList<>();
        for (int c = 0; c < containers.size(); c++) {
            order.add(c);
        }
        order.sort(Comparator.comparing((Integer c) -> containers.get(c).kind() == ContainerKind.INIT)
                .thenComparing(c -> requests.get(c).profile(), Comparator.reverseOrder()));
        container = order.stream()
                .flatMapToInt(c -> java.util.stream.IntStream.generate(() -> c)
                        .limit(requests.get(c).instances()))
                .toArray();
    }

    int units() {
        return container.length;
    }

    GpuRequest.Partition request(int unit) {
        return requests.get(container[unit]);
    }

    boolean isInit(int unit) {
        return containers.get(container[unit]).kind() == ContainerKind.INIT;
    }

    /** Whether what one unit has is beside what an init container's unit has: sidecars that started before it. */
    boolean isSidecarBefore(int unit, int initUnit) {
        return containers.get(container[unit]).kind() == ContainerKind.SIDECAR
                && position[container[unit]] < position[container[initUnit]];
    }
}
