package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * In which order the partitions of a pod are placed: those of containers that keep running before those of init containers. A
 * <em>unit</em> is one partition of one container. Groups of init containers are those of {@link LayoutPlan}.
 */
final class PartitionPlan {
    /** The containers that ask for partitions, in the pod's order. */
    final List<Container> containers;

    /** By container: its request. */
    final List<GpuRequest.Partition> requests;

    /** What all its containers ask of GPUs: what may go to one GPU and not to another makes them differ. */
    final List<GpuRequest> distinguishing;

    /** How many partitions of each profile are held at one time: by all containers but init containers. */
    final Map<String, Integer> together = new TreeMap<>();

    /** How many groups of init containers there are. */
    final int groups;

    /** By container: its group, or the first group that finds it running; the number of groups for what none does. */
    private final int[] group;

    /** By unit: its container. */
    final int[] container;

    /** By unit: the first unit of its container. */
    final int[] first;

    PartitionPlan(PodDemand demand) {
        List<Container> asking = demand.gpuContainers();
        int[] groupOf = new int[asking.size()];
        groups = LayoutPlan.group(asking, groupOf);
        int[] position = IntStream.range(0, asking.size())
                .filter(at -> asking.get(at).gpu().takesPartitions())
                .toArray();
        containers = Arrays.stream(position).mapToObj(asking::get).toList();
        group = Arrays.stream(position).map(at -> groupOf[at]).toArray();
        requests = demand.partitions();
        distinguishing = asking.stream().map(Container::gpu).distinct().toList();
        container = IntStream.range(0, position.length)
                .boxed()
                .sorted(Comparator.comparing((Integer c) -> containers.get(c).kind() == ContainerKind.INIT)
                        .thenComparing(c -> requests.get(c).profile(), Comparator.reverseOrder()))
                .flatMapToInt(
                        c -> IntStream.generate(() -> c).limit(requests.get(c).instances()))
                .toArray();
        for (int c = 0; c < requests.size(); c++) {
            if (containers.get(c).kind() != ContainerKind.INIT) {
                together.merge(requests.get(c).profile(), requests.get(c).instances(), Integer::sum);
            }
        }
        first = new int[container.length];
        for (int u = 1; u < first.length; u++) {
            first[u] = container[u] == container[u - 1] ? first[u - 1] : u;
        }
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

    /** Whether any init container asks for partitions; those come last. */
    boolean hasInit() {
        return units() > 0 && isInit(units() - 1);
    }

    /** The group of a unit's init container, or the first group that finds the unit's container running. */
    int group(int unit) {
        return group[container[unit]];
    }
}
