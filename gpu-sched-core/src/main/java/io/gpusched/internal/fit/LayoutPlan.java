package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * In which order the containers of a pod get their GPUs. Containers of equal requests are of one type. A <em>unit</em> is one of
 * the GPUs, or one of the partitions, that one of them asks for.
 *
 * <p>An init container runs beside the sidecars that stand before it in the pod. Init containers between which no sidecar stands
 * are of one <em>group</em>: they find the same sidecars running.
 */
final class LayoutPlan {
    final int containers;

    /** By depth in this order: the container's position among those of the pod that ask for GPUs. */
    final int[] position;

    final int[] type;
    final int[] count;
    final boolean[] init;

    /** By depth: whether the container asks for partitions. */
    final boolean[] cut;

    /** How many partitions are asked for in all. */
    final int partitions;

    /** How many groups of init containers there are. */
    final int groups;

    /**
     * By depth: the group of an init container, or the first group that finds a sidecar running; the number of groups for what
     * no init container runs beside.
     */
    final int[] group;

    /** Whether an init container gets its GPUs before a sidecar that it runs beside. */
    final boolean initBeforeSidecar;

    /** By depth: whether it may swap its GPUs with the one before it, so that only one order of the two is looked at. */
    final boolean[] asPrevious;

    /** By depth: the next one that may not swap its GPUs with the one before it. */
    final int[] afterRun;

    /** By depth: its first unit; one more at the end. */
    final int[] firstUnit;

    /** By unit: the depth of its container. */
    final int[] depth;

    /** By type. */
    final List<GpuRequest> requests = new ArrayList<>();

    /**
     * @param asking the containers of a pod that ask for GPUs, in its order
     * @param position the order in which they get them
     */
    private LayoutPlan(List<Container> asking, int[] position) {
        this.position = position;
        containers = asking.size();
        type = new int[containers];
        count = new int[containers];
        init = new boolean[containers];
        cut = new boolean[containers];
        asPrevious = new boolean[containers];
        afterRun = new int[containers];
        firstUnit = new int[containers + 1];
        int[] groupOf = new int[containers];
        groups = group(asking, groupOf);
        group = new int[containers];
        Map<GpuRequest, Integer> types = new HashMap<>();
        for (int d = 0; d < containers; d++) {
            Container container = asking.get(position[d]);
            type[d] = types.computeIfAbsent(container.gpu(), this::newType);
            cut[d] = container.gpu() instanceof GpuRequest.Partition;
            count[d] = units(container.gpu());
            init[d] = container.kind() == ContainerKind.INIT;
            group[d] = groupOf[position[d]];
            asPrevious[d] =
                    d > 0 && !cut[d] && type[d] == type[d - 1] && init[d] == init[d - 1] && group[d] == group[d - 1];
            firstUnit[d + 1] = firstUnit[d] + count[d];
        }
        depth = new int[firstUnit[containers]];
        for (int d = containers - 1; d >= 0; d--) {
            Arrays.fill(depth, firstUnit[d], firstUnit[d + 1], d);
            afterRun[d] = d + 1 < containers && asPrevious[d + 1] ? afterRun[d + 1] : d + 1;
        }
        initBeforeSidecar = isInitBeforeSidecar();
        partitions = IntStream.range(0, containers)
                .filter(d -> cut[d])
                .map(d -> count[d])
                .sum();
    }

    private static int units(GpuRequest request) {
        return request instanceof GpuRequest.Partition partition ? partition.instances() : request.count();
    }

    /**
     * The hardest first: partitions, for a cut device serves no other kind of request; containers that keep running before init containers.
     *
     * <p>Ties between layouts end here: of equally good ones the scheduler takes the one whose GPU indexes are lowest when
     * written down in this order.
     */
    static LayoutPlan hardestFirst(List<Container> asking) {
        Comparator<Integer> byNeed = Comparator.comparing(
                        (Integer at) -> !(asking.get(at).gpu() instanceof GpuRequest.Partition))
                .thenComparing(at -> asking.get(at).kind() == ContainerKind.INIT)
                .thenComparing(at -> profile(asking.get(at).gpu()), Comparator.reverseOrder())
                .thenComparingLong(at -> -weight(asking.get(at).gpu()));
        return new LayoutPlan(
                asking,
                IntStream.range(0, asking.size())
                        .boxed()
                        .sorted(byNeed)
                        .mapToInt(Integer::intValue)
                        .toArray());
    }

    private static String profile(GpuRequest request) {
        return request instanceof GpuRequest.Partition partition ? partition.profile() : "";
    }

    /** In a given order: the position of each container among these. */
    static LayoutPlan inOrder(List<Container> asking, int[] position) {
        return new LayoutPlan(asking, position);
    }

    /** Finds the group of each container by its position; returns how many there are. */
    private static int group(List<Container> asking, int[] groupOf) {
        int groups = 0;
        boolean isNew = true;
        for (int at = 0; at < groupOf.length; at++) {
            ContainerKind kind = asking.get(at).kind();
            groups += kind == ContainerKind.INIT && isNew ? 1 : 0;
            isNew = kind == ContainerKind.SIDECAR || kind != ContainerKind.INIT && isNew;
            groupOf[at] = kind == ContainerKind.INIT ? groups - 1 : kind == ContainerKind.SIDECAR ? groups : -1;
        }
        for (int at = 0; at < groupOf.length; at++) {
            groupOf[at] = groupOf[at] < 0 ? groups : groupOf[at];
        }
        return groups;
    }

    private boolean isInitBeforeSidecar() {
        int firstGroup = groups;
        for (int d = containers - 1; d >= 0; d--) {
            if (cut[d]) {
                continue;
            }
            if (init[d] && firstGroup <= group[d]) {
                return true;
            }
            firstGroup = init[d] ? firstGroup : Math.min(firstGroup, group[d]);
        }
        return false;
    }

    private int newType(GpuRequest request) {
        requests.add(request);
        return requests.size() - 1;
    }

    int units() {
        return depth.length;
    }

    /** Whether any init container asks for partitions. */
    boolean hasInitPartitions() {
        return IntStream.range(0, containers).anyMatch(d -> cut[d] && init[d]);
    }

    /** Whether init containers may find sidecars that started before them, and this is one that they may find. */
    boolean isSeenByInit(int at) {
        return !init[at] && group[at] < groups;
    }

    /** What it takes to place a unit: a sidecar counts for each group that finds it running. */
    long stepsToPlace() {
        return 1 + groups / 8L;
    }

    /** What it takes to make a placement, check it and score it. */
    long stepsToScore(int gpus) {
        return 50 + 12L * units() + containers * (10 + gpus / 3L) + 30L * partitions;
    }

    private static long weight(GpuRequest request) {
        return request instanceof GpuRequest.Share share
                ? share.count() * 1_000_000_000L
                        + share.computeMillis() * 1_000L
                        + share.memory().on(1_000)
                : request.count() * 1_000_000_000_000L;
    }
}
