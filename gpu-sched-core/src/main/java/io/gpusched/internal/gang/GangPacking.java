package io.gpusched.internal.gang;

import io.gpusched.internal.fit.BinBound;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether what members of a group still need of GPUs may go onto all GPUs of all nodes together, by compute and by memory,
 * as items into bins. Small groups on few GPUs only. Not thread-safe.
 */
final class GangPacking {
    private static final int MOST_GPUS = 256;
    private static final int MOST_ITEMS = 256;

    private final List<NodeGroups.Group> groups;
    private final BinBound bins = new BinBound();
    private final int gpus;
    private final int leastCompute;
    private final long leastMemory;
    private final int mostCompute;
    private final long mostMemory;

    GangPacking(List<NodeGroups.Group> groups) {
        this.groups = groups;
        int count = 0;
        int compute = 1;
        long memory = 1;
        int smallest = Integer.MAX_VALUE;
        long smallestMemory = Long.MAX_VALUE;
        for (NodeGroups.Group group : groups) {
            for (var gpu : group.nodes().get(0).nodeClass().gpus()) {
                compute = Math.max(compute, gpu.computeMillis());
                memory = Math.max(memory, gpu.memoryMib());
                smallest = Math.min(smallest, gpu.computeMillis());
                smallestMemory = Math.min(smallestMemory, gpu.memoryMib());
                count += group.nodes().size();
            }
        }
        gpus = count;
        mostCompute = compute;
        mostMemory = memory;
        leastCompute = count == 0 ? 0 : smallest;
        leastMemory = count == 0 ? 0 : smallestMemory;
    }

    /** How many items there may be. */
    int size() {
        return gpus > MOST_GPUS ? 0 : 4 * gpus;
    }

    /** Returns false only if the members of kinds from this place on that have to start do not go together. */
    boolean mayFit(GangBoard board, int kindAt, int[] leasts) {
        return gpus > MOST_GPUS || mayFit(board, kindAt, leasts, true) && mayFit(board, kindAt, leasts, false);
    }

    private boolean mayFit(GangBoard board, int kindAt, int[] leasts, boolean byCompute) {
        return mayRequiredFit(board, kindAt, leasts, byCompute) && mayAnyFit(board, kindAt, byCompute);
    }

    private boolean mayRequiredFit(GangBoard board, int kindAt, int[] leasts, boolean byCompute) {
        bins.clear();
        int items = 0;
        for (int at = kindAt; at < board.kinds() && items < MOST_ITEMS; at++) {
            int least = Math.min(leasts[board.kind(at).index()], MOST_ITEMS);
            PodDemand demand = board.kind(at).demand();
            for (Container container : demand.otherwise() == null ? demand.gpuContainers() : List.<Container>of()) {
                if (container.kind() != ContainerKind.INIT && least > 0) {
                    GpuRequest request = container.gpu();
                    long number = Math.min(MOST_ITEMS - items, (long) least * request.count());
                    bins.add(byCompute ? compute(request) : memory(request), number);
                    items += (int) number;
                }
            }
        }
        return mayFitBeside(board, byCompute);
    }

    /** Whether the smallest members that together reach the minimum may go together, each as its largest container. */
    private boolean mayAnyFit(GangBoard board, int kindAt, boolean byCompute) {
        List<MemberKind> kinds = new ArrayList<>();
        for (int at = kindAt; at < board.kinds(); at++) {
            kinds.add(board.kind(at));
        }
        kinds.sort(Comparator.comparingLong(kind -> largest(kind, byCompute)));
        bins.clear();
        long left = Math.min(MOST_ITEMS, board.missingInAll());
        for (MemberKind kind : kinds) {
            long taken = Math.min(Math.max(0, left), board.missing(kind));
            bins.add(largest(kind, byCompute), taken);
            left -= taken;
        }
        return mayFitBeside(board, byCompute);
    }

    private long largest(MemberKind kind, boolean byCompute) {
        long largest = 0;
        if (kind.demand().otherwise() != null) {
            return largest; // what it takes depends on its shape
        }
        for (Container container : kind.demand().gpuContainers()) {
            largest = Math.max(largest, byCompute ? compute(container.gpu()) : memory(container.gpu()));
        }
        return largest;
    }

    private boolean mayFitBeside(GangBoard board, boolean byCompute) {
        for (int spot = 0; spot < board.touchedNodes(); spot++) {
            addHeld(board.touchedNode(spot), byCompute, 1);
        }
        for (int group = 0; group < groups.size(); group++) {
            List<NodeState> nodes = groups.get(group).nodes();
            addHeld(nodes.get(0), byCompute, nodes.size() - board.usedOf(group));
        }
        return bins.mayFit(gpus, byCompute ? mostCompute : mostMemory);
    }

    /** What a request takes of each GPU at least; what a partition takes of it hangs on the geometry. */
    private long compute(GpuRequest request) {
        if (request.takesPartitions()) {
            return 0;
        }
        return request.takesPart() ? request.computeMillis() : leastCompute;
    }

    private long memory(GpuRequest request) {
        if (request.takesPartitions()) {
            return 0;
        }
        return request.takesPart() ? request.memory().on(leastMemory) : leastMemory;
    }

    /** What is missing of each GPU of such nodes to the largest GPU when nobody holds anything of it. */
    private void addHeld(NodeState node, boolean byCompute, int nodes) {
        for (int g = 0; g < node.gpuCount(); g++) {
            bins.add(byCompute ? mostCompute - node.freeComputeMillis(g) : mostMemory - node.freeMemoryMib(g), nodes);
        }
    }
}
