package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Gpu;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.Arrays;
import java.util.List;

/**
 * How much would have to change on a node before a request fits there, as one number: about a thousand for each GPU that
 * would have to be given up whole, and fractions of a thousand for parts of a GPU, of the node's CPU and of its memory.
 */
final class RemedyCost {
    static final long IMPOSSIBLE = Long.MAX_VALUE / 4;
    private static final long GPU = 1_000;
    private static final long REPAIR = 2_000;
    private static final long UNCORDON = 500;

    private final NodeFilter filter;
    private final PodDemand demand;

    RemedyCost(NodeFilter filter) {
        this.filter = filter;
        this.demand = filter.demand();
    }

    /** Returns the cost, or some number above {@code limit} as soon as it is sure to be. */
    long of(NodeState node, long limit) {
        long cost = node.isCordoned() ? UNCORDON : 0;
        if (node.isHeldWhole()) {
            cost += GPU * node.gpuCount() + 1;
        } else {
            int maxPods = node.nodeClass().maxPods();
            cost += node.podCount() >= maxPods ? GPU / Math.max(1, maxPods) + 1 : 0;
            long capacity = node.nodeClass().capacity().cpuMillis();
            cost += part(demand.resources().cpuMillis() - node.freeCpuMillis(), capacity, limit);
            capacity = node.nodeClass().capacity().memoryMib();
            cost += part(demand.resources().memoryMib() - node.freeMemoryMib(), capacity, limit);
            cost += ofNamed(node);
        }
        return cost > limit || demand.gpuContainers().isEmpty() ? cost : cost + ofGpus(node, limit - cost);
    }

    private long ofNamed(NodeState node) {
        long cost = 0;
        NamedAmounts asked = demand.resources().named();
        for (String name : asked.isEmpty() ? List.<String>of() : asked.names()) {
            cost += part(asked.amount(name) - node.free(name), node.capacity().amount(name));
        }
        return cost;
    }

    private static long part(long missing, long capacity) {
        return part(missing, capacity, IMPOSSIBLE);
    }

    /** What is missing as a part of a capacity, or some number above {@code limit} as soon as it is sure to be. */
    private static long part(long missing, long capacity, long limit) {
        if (missing <= 0) {
            return 0;
        }
        long most = Math.max(1, capacity);
        if (missing > Long.MAX_VALUE / GPU) {
            return missing / Math.max(1, most / GPU) + 1;
        }
        // to divide takes long, and of all nodes but the nearest it is enough to know that they are not
        boolean above = limit < GPU && most < Long.MAX_VALUE / GPU && GPU * missing > limit * most;
        return above ? limit + 1 : GPU * missing / most + 1;
    }

    private long ofGpus(NodeState node, long limit) {
        if (demand.wholeNode()) {
            return ofWholeNode(node);
        }
        GpuRequest single = demand.single();
        if (single == null || !demand.countsDecide()) {
            return ofLayout(node);
        }
        int count = single.count();
        if (!single.takesWhole() && count == 1) {
            return ofCheapest(single, node, limit);
        }
        if (single.takesWhole() && !node.isHeldWhole()) {
            long atLeast = GPU * Math.max(0, count - node.idleGpus());
            if (atLeast > limit) {
                return atLeast;
            }
        }
        return ofSeveral(single, count, node);
    }

    private static long ofCheapest(GpuRequest request, NodeState node, long limit) {
        long least = IMPOSSIBLE;
        boolean anyOfEqual = !request.selector().looksAtUuids();
        for (int g = 0; g < node.gpuCount(); g++) {
            if (g == 0 || !anyOfEqual || !node.isInterchangeable(g, g - 1)) {
                least = Math.min(least, ofGpu(request, node, g, Math.min(least, limit)));
            }
        }
        return least;
    }

    private long ofLayout(NodeState node) {
        long repairs = node.isHealthy() || filter.machine().fitsHealthy(node) ? 0 : REPAIR;
        return repairs + (filter.ofGpus(node) == Code.GROUP ? 0 : GPU * node.gpuCount());
    }

    private static long ofSeveral(GpuRequest request, int count, NodeState node) {
        long[] costs = new long[node.gpuCount()];
        for (int g = 0; g < costs.length; g++) {
            costs[g] = ofGpu(request, node, g);
        }
        Arrays.sort(costs);
        long sum = 0;
        for (int i = 0; i < Math.min(count, costs.length); i++) {
            sum += costs[i];
        }
        return sum;
    }

    private static long ofWholeNode(NodeState node) {
        long cost = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            cost += !node.isHealthy(g) ? REPAIR : node.isIdle(g) || node.isHeldWhole() ? 0 : GPU;
        }
        return cost + (node.isHeldWhole() ? 0 : node.podCount());
    }

    /** Returns what would have to change on one GPU before it can serve as one of those asked for. */
    static long ofGpu(GpuRequest request, NodeState node, int gpu) {
        return ofGpu(request, node, gpu, IMPOSSIBLE);
    }

    /** The same, or some number above {@code limit} as soon as it is sure to be. */
    private static long ofGpu(GpuRequest request, NodeState node, int gpu, long limit) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        if (!NodeFit.accepts(request.selector(), node, gpu) || !request.fitsOnIdle(device)) {
            return IMPOSSIBLE;
        }
        if (!node.isHealthy(gpu)) {
            boolean held = !node.isHeldWhole() && (node.isWhole(gpu) || node.isShared(gpu));
            return REPAIR + (held ? GPU : 0);
        }
        if (node.isIdle(gpu) || node.isHeldWhole()) {
            return 0;
        }
        if (request.takesWhole() || node.isWhole(gpu)) {
            return GPU;
        }
        long cost = part(request.computeMillisOn(device) - node.freeComputeMillis(gpu), device.computeMillis(), limit);
        if (cost > limit) {
            return cost;
        }
        cost += part(request.memoryMibOn(device) - node.freeMemoryMib(gpu), device.memoryMib(), limit);
        return cost > limit ? cost : cost + part(request.slotsOn(device) - node.freeSlots(gpu), device.slots(), limit);
    }
}
