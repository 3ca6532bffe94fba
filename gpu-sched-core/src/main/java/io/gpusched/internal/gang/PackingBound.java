package io.gpusched.internal.gang;

import io.gpusched.internal.fit.BinBound;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Whether what members ask of GPUs may go onto all GPUs of all nodes together, by compute or by memory, as items into
 * bins. Not thread-safe.
 */
final class PackingBound {
    /*
     * All GPUs count as bins as large as the largest; what they have less, and what is held of them, is an item. Of each kind
     * as many members are items as start in any case, and beside them the smallest that reach the minimum of the group.
     */
    private final boolean isByCompute;
    private final List<MemberKind> leastFirst;
    private final BinBound bins = new BinBound();
    private int gpus;
    private long most = 1;
    private long least = Long.MAX_VALUE;

    /**
     * @param isByCompute whether compute is looked at, else memory
     */
    PackingBound(Gang gang, List<EqualNodes> groups, boolean isByCompute) {
        this.isByCompute = isByCompute;
        for (EqualNodes group : groups) {
            for (Gpu gpu : group.nodes().get(0).nodeClass().gpus()) {
                long size = isByCompute ? gpu.computeMillis() : gpu.memoryMib();
                most = Math.max(most, size);
                least = Math.min(least, size);
                gpus += group.nodes().size();
            }
        }
        leastFirst = new ArrayList<>(gang.kinds());
        leastFirst.sort(Comparator.comparingLong(this::largest));
    }

    /** Returns how many items there may be. */
    int size() {
        return isTooLarge() ? 0 : 2 * gpus;
    }

    private boolean isTooLarge() {
        return gpus == 0 || gpus > GangBounds.MOST_BINS;
    }

    /**
     * Returns false only if the members do not go together.
     *
     * @param leasts how many members of each kind have to find a place in any case
     * @param open how many may find one
     * @param missing how many have to find one, of whatever kind
     */
    boolean mayFit(Assignment assignment, int[] leasts, int[] open, long missing) {
        if (isTooLarge()) {
            return true;
        }
        bins.clear();
        int items = 0;
        long more = missing;
        for (MemberKind kind : leastFirst) {
            more -= leasts[kind.index()];
            items += addRequired(kind, leasts[kind.index()], GangBounds.MOST_ITEMS - items);
        }
        more = Math.min(more, GangBounds.MOST_ITEMS - items);
        for (int i = 0; i < leastFirst.size() && more > 0; i++) {
            MemberKind kind = leastFirst.get(i);
            long taken = Math.min(more, open[kind.index()] - leasts[kind.index()]);
            bins.add(largest(kind), taken);
            more -= taken;
        }
        assignment.forEachNode(this::addHeld);
        return bins.mayFit(gpus, most);
    }

    private int addRequired(MemberKind kind, int members, int room) {
        int items = 0;
        for (Container container : kind.demand().gpuContainers()) {
            if (kind.demand().otherwise() == null && container.kind() != ContainerKind.INIT) {
                int number = (int)
                        Math.min(room - items, (long) members * container.gpu().count());
                bins.add(taken(container.gpu()), number);
                items += number;
            }
        }
        return items;
    }

    /** The most that a container takes of a GPU at least; 0 where that depends on the alternative chosen. */
    private long largest(MemberKind kind) {
        ToLongFunction<Container> taken = container -> taken(container.gpu());
        return kind.demand().otherwise() != null
                ? 0
                : kind.demand().gpuContainers().stream().mapToLong(taken).max().orElse(0);
    }

    /** What a request takes of each of its GPUs at least; what a partition takes depends on the geometry. */
    private long taken(GpuRequest request) {
        if (request instanceof GpuRequest.Partition || isTooLarge()) {
            return 0;
        }
        if (!(request instanceof GpuRequest.Share share)) {
            return least;
        }
        return isByCompute ? share.computeMillis() : share.memory().on(least);
    }

    private void addHeld(NodeState node, int nodes) {
        for (int g = 0; g < node.gpuCount(); g++) {
            bins.add(most - (isByCompute ? node.freeComputeMillis(g) : node.freeMemoryMib(g)), nodes);
        }
    }
}
