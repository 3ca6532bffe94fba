package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * In which order the containers of a pod get their GPUs: those that keep running before init containers, the hardest
 * first. Containers of equal requests are of one type. A <em>unit</em> is one of the GPUs that one of them asks for.
 *
 * <p>Ties between layouts end here: of equally good ones the scheduler takes the one whose GPU indexes are lowest when
 * written down in this order.
 */
final class LayoutPlan {
    final int containers;

    /** By depth in this order: the container's position among those of the pod that ask for GPUs. */
    final int[] position;

    final int[] type;
    final int[] count;
    final boolean[] init;
    final boolean[] sidecar;

    /** By depth: whether it may swap its GPUs with the one before it, so that only one order of the two is looked at. */
    final boolean[] asPrevious;

    /** By depth: its first unit; one more at the end. */
    final int[] firstUnit;

    /** By unit: the depth of its container. */
    final int[] depth;

    /** By type. */
    final List<GpuRequest> requests = new ArrayList<>();

    /** Whether init containers may find sidecars that started before them. */
    final boolean initBesideSidecar;

    LayoutPlan(PodDemand demand) {
        List<Container> asking = demand.gpuContainers();
        containers = asking.size();
        position = hardestFirst(asking);
        type = new int[containers];
        count = new int[containers];
        init = new boolean[containers];
        sidecar = new boolean[containers];
        asPrevious = new boolean[containers];
        firstUnit = new int[containers + 1];
        initBesideSidecar = asking.stream().anyMatch(container -> container.kind() == ContainerKind.INIT)
                && asking.stream().anyMatch(container -> container.kind() == ContainerKind.SIDECAR);
        Map<GpuRequest, Integer> types = new HashMap<>();
        for (int d = 0; d < containers; d++) {
            Container container = asking.get(position[d]);
            type[d] = types.computeIfAbsent(container.gpu(), this::newType);
            count[d] = container.gpu().count();
            init[d] = container.kind() == ContainerKind.INIT;
            sidecar[d] = container.kind() == ContainerKind.SIDECAR;
            asPrevious[d] = d > 0 && !initBesideSidecar && type[d] == type[d - 1] && init[d] == init[d - 1];
            firstUnit[d + 1] = firstUnit[d] + count[d];
        }
        depth = new int[firstUnit[containers]];
        for (int d = 0; d < containers; d++) {
            java.util.Arrays.fill(depth, firstUnit[d], firstUnit[d + 1], d);
        }
    }

    private int newType(GpuRequest request) {
        requests.add(request);
        return requests.size() - 1;
    }

    int units() {
        return depth.length;
    }

    private static int[] hardestFirst(List<Container> containers) {
        Comparator<Integer> byNeed = Comparator.comparing(
                        (Integer at) -> containers.get(at).kind() == ContainerKind.INIT)
                .thenComparingLong(at -> -weight(containers.get(at).gpu()));
        return IntStream.range(0, containers.size())
                .boxed()
                .sorted(byNeed)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static long weight(GpuRequest request) {
        return request.takesPart()
                ? request.count() * 1_000_000_000L
                        + request.computeMillis() * 1_000L
                        + request.memory().on(1_000)
                : request.count() * 1_000_000_000_000L;
    }
}
