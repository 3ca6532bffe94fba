package io.gpusched.simulator.bound;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Pods that no {@link Demand} describes exactly, and how much compute of a cluster's GPUs one may hold at most: partitions, whole
 * nodes, choices of demands, init containers, unlike containers, and whole GPUs that have more or less than 1,000 milli.
 */
final class LooseDemand {
    private final List<Gpu> gpus;
    private final long largestNode;
    private final boolean isPlain;

    LooseDemand(Cluster cluster) {
        List<NodeClass> classes = List.copyOf(cluster.classes().keySet());
        gpus = classes.stream().flatMap(nodes -> nodes.gpus().stream()).toList();
        largestNode = classes.stream()
                .mapToLong(nodes ->
                        nodes.gpus().stream().mapToLong(Gpu::computeMillis).sum())
                .max()
                .orElse(0);
        isPlain = gpus.stream().allMatch(gpu -> gpu.computeMillis() == Demand.WHOLE);
    }

    /** Whether its demand asks for no more than the pod takes wherever it goes. */
    boolean isDescribed(Pod pod) {
        List<Container> asking = pod.containers().stream()
                .filter(container -> !container.gpu().isNone())
                .toList();
        if (asking.isEmpty()) {
            return true;
        }
        GpuRequest first = asking.get(0).gpu();
        boolean alike = asking.stream()
                .allMatch(container -> container.kind() != ContainerKind.INIT
                        && container.gpu().equals(first));
        boolean whole = first instanceof GpuRequest.Exclusive && isPlain;
        boolean part =
                first instanceof GpuRequest.Share share && share.computeMillis() < Demand.WHOLE && asking.size() == 1;
        return alike && (whole || part);
    }

    /** How much compute it may hold at most, in milli. */
    long most(Pod pod) {
        long sum = 0;
        for (Container container : pod.containers()) {
            sum += container.gpu().alternatives().stream()
                    .mapToLong(this::most)
                    .max()
                    .orElse(0);
        }
        return sum;
    }

    private long most(GpuRequest request) {
        if (request instanceof GpuRequest.WholeNode) {
            return largestNode;
        }
        if (request instanceof GpuRequest.Partition partition) {
            return (long) partition.instances() * largest(gpu -> computeMillis(gpu, partition.profile()));
        }
        int each = request instanceof GpuRequest.Share share ? share.computeMillis() : largest(Gpu::computeMillis);
        return (long) request.count() * each;
    }

    private static int computeMillis(Gpu gpu, String profile) {
        return gpu.partitions().profiles().stream()
                .filter(one -> one.name().equals(profile))
                .mapToInt(PartitionProfile::computeMillis)
                .max()
                .orElse(0);
    }

    private int largest(ToIntFunction<Gpu> computeMillis) {
        return gpus.stream().mapToInt(computeMillis).max().orElse(0);
    }
}
