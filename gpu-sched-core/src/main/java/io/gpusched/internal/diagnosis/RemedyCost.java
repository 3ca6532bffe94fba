package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.workload.GpuRequest;
import java.util.Arrays;

/**
 * How much would have to change on a node before a request fits there, as one number: about a thousand for each GPU that
 * would have to be given up whole, and fractions of a thousand for parts of a GPU, of the node's CPU and of its memory.
 */
final class RemedyCost {
    static final long IMPOSSIBLE = Long.MAX_VALUE / 4;
    private static final long GPU = 1_000;
    private static final long REPAIR = 2_000;
    private static final long UNCORDON = 500;

    private final NodeReasons filter;
    private final PodDemand demand;

    RemedyCost(NodeReasons filter) {
        this.filter = filter;
        this.demand = filter.demand();
    }

    long of(NodeState node) {
        long cost = FitRule.isCordoned(demand, node) ? UNCORDON : 0;
        cost += ofTaints(node);
        cost += node.isHeldWhole() ? GPU * node.gpuCount() + 1 : ofAmounts(node);
        return demand.gpuContainers().isEmpty() ? cost : cost + ofGpus(node);
    }

    /** Rules of the node cost nothing, for the pod may tolerate them; its states have to pass first, and a node that leaves never serves. */
    private long ofTaints(NodeState node) {
        long cost = 0;
        for (Taint taint : ReasonTally.untolerated(demand, node)) {
            if (Taints.isLeaving(taint)) {
                return IMPOSSIBLE;
            }
            cost += Taints.isCordon(taint) ? UNCORDON : Taints.isPassing(taint) ? REPAIR : 0;
        }
        return cost;
    }

    private long ofAmounts(NodeState node) {
        int maxPods = node.node().maxPods();
        long cost = node.podCount() >= maxPods ? GPU / Math.max(1, maxPods) + 1 : 0;
        cost += part(
                demand.resources().cpuMillis() - node.freeCpuMillis(),
                node.capacity().cpuMillis());
        cost += part(
                demand.resources().memoryMib() - node.freeMemoryMib(),
                node.capacity().memoryMib());
        NamedAmounts asked = demand.resources().named();
        for (String name : asked.names()) {
            cost += part(asked.amount(name) - node.free(name), node.capacity().amount(name));
        }
        return cost;
    }

    /** What is missing as a part of a capacity. */
    private static long part(long missing, long capacity) {
        if (missing <= 0) {
            return 0;
        }
        long most = Math.max(1, capacity);
        return missing > Long.MAX_VALUE / GPU ? missing / Math.max(1, most / GPU) + 1 : GPU * missing / most + 1;
    }

    private long ofGpus(NodeState node) {
        if (demand.wholeNode()) {
            return ofWholeNode(node);
        }
        GpuRequest single = demand.single();
        return single == null || !demand.countsDecide() ? ofLayout(node) : ofCheapest(single, node);
    }

    private long ofLayout(NodeState node) {
        long repairs = node.isHealthy() || filter.fitsHealthy(node) ? 0 : REPAIR;
        return repairs + (filter.ofGpus(node) == Code.GROUP ? 0 : GPU * node.gpuCount());
    }

    private static long ofCheapest(GpuRequest request, NodeState node) {
        long[] costs = new long[node.gpuCount()];
        for (int g = 0; g < costs.length; g++) {
            costs[g] = ofGpu(request, node, g);
        }
        Arrays.sort(costs);
        long sum = 0;
        for (int i = 0; i < Math.min(request.count(), costs.length); i++) {
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

    /** Whether a GPU cannot serve even once it is healthy, because of its kind or of what runs on it. */
    static boolean isUnfit(GpuRequest request, NodeState node, int gpu) {
        return ofGpu(request, node, gpu) > (node.isHealthy(gpu) ? 0 : REPAIR);
    }

    /** Returns what would have to change on one GPU before it can serve as one of those asked for. */
    static long ofGpu(GpuRequest request, NodeState node, int gpu) {
        Gpu device = node.node().gpus().get(gpu);
        if (!FitRule.accepts(request.selector(), node, gpu) || !GpuTake.fitsOnIdle(request, device)) {
            return IMPOSSIBLE;
        }
        if (!node.isHealthy(gpu)) {
            boolean held = !node.isHeldWhole() && (node.isWhole(gpu) || node.isShared(gpu));
            return REPAIR + (held ? GPU : 0);
        }
        if (node.isIdle(gpu) || node.isHeldWhole()) {
            return 0;
        }
        if (!(request instanceof GpuRequest.Share share) || node.isWhole(gpu)) {
            return GPU;
        }
        GpuShare part = share.on(device);
        return part(part.computeMillis() - node.freeComputeMillis(gpu), device.computeMillis())
                + part(part.memoryMib() - node.freeMemoryMib(gpu), device.memoryMib())
                + part(part.slots() - node.freeSlots(gpu), device.slots());
    }
}
