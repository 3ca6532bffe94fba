package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Keeps the node on which the least would have to change, and says what. */
final class RemedyFinder {
    private final NodeFilter filter;
    private final PodDemand demand;
    private final RemedyCost costs;
    private @Nullable NodeState nearest;
    private long least = RemedyCost.IMPOSSIBLE - 1;

    RemedyFinder(NodeFilter filter) {
        this.filter = filter;
        this.demand = filter.demand();
        this.costs = new RemedyCost(filter);
    }

    /** Considers a node that might take the request later; of equal ones the first in node order is kept. */
    void offer(NodeState node) {
        boolean late = nearest != null && NodeAccess.order(node) > NodeAccess.order(nearest);
        long cost = costs.of(node, late ? least - 1 : least);
        if (cost < least || cost == least && nearest != null && NodeAccess.order(node) < NodeAccess.order(nearest)) {
            least = cost;
            nearest = node;
        }
    }

    /** Returns the node on which the least would have to change, or nothing if none was offered that could do. */
    Optional<NodeState> nearest() {
        return Optional.ofNullable(nearest);
    }

    /** Returns what would have to change on the nearest node; nothing if there is none. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        if (nearest != null) {
            addNode(nearest, changes);
            if (!demand.gpuContainers().isEmpty()) {
                addGpus(nearest, changes);
            }
        }
        return changes;
    }

    private void addNode(NodeState node, List<Change> changes) {
        String name = node.name();
        if (node.node().cordoned()) {
            changes.add(Change.of(Kind.UNCORDON, name));
        }
        if (node.isHeldWhole()) {
            String holder = node.placements().get(0).pod().toString();
            changes.add(Change.of(Kind.RELEASE_HOLDER, name, holder));
            return;
        }
        if (demand.wholeNode()) {
            return;
        }
        if (node.podCount() >= node.node().maxPods()) {
            changes.add(Change.of(Kind.RELEASE_ANY_POD, name));
        }
        long cpuMillis = demand.resources().cpuMillis() - node.freeCpuMillis();
        if (cpuMillis > 0) {
            changes.add(Change.of(Kind.FREE_CPU, name, cpuMillis));
        }
        long memoryMib = demand.resources().memoryMib() - node.freeMemoryMib();
        if (memoryMib > 0) {
            changes.add(Change.of(Kind.FREE_MEMORY, name, memoryMib));
        }
        demand.resources().named().asMap().forEach((resource, asked) -> {
            long missing = asked - node.free(resource);
            if (missing > 0) {
                changes.add(new Change(Kind.FREE_RESOURCE, name, -1, missing, resource));
            }
        });
    }

    private void addGpus(NodeState node, List<Change> changes) {
        GpuRequest single = demand.single();
        if (demand.wholeNode()) {
            addWholeNode(node, changes);
        } else if (single == null || !demand.countsDecide()) {
            addLayout(node, changes);
        } else if (single.takesWhole()) {
            addIdle(single, node, changes);
        } else {
            cheapest(single, node).forEach(gpu -> addShare(single, node, gpu, changes));
        }
    }

    private static void addWholeNode(NodeState node, List<Change> changes) {
        addRepairs(node, changes);
        if (!node.isEmpty() && !node.isHeldWhole()) {
            changes.add(Change.of(Kind.EMPTY_NODE, node.name(), node.podCount()));
        }
    }

    private static void addRepairs(NodeState node, List<Change> changes) {
        for (int g = 0; g < node.gpuCount(); g++) {
            addRepair(node, g, changes);
        }
    }

    private static void addRepair(NodeState node, int gpu, List<Change> changes) {
        if (!node.isHealthy(gpu)) {
            changes.add(Change.onGpu(Kind.REPAIR_GPU, node.name(), gpu, 0));
        }
    }

    private void addLayout(NodeState node, List<Change> changes) {
        if (!node.isHealthy() && !filter.machine().fitsHealthy(node)) {
            addRepairs(node, changes);
            if (!node.isEmpty() && !node.isHeldWhole()) {
                changes.add(Change.of(Kind.FREE_GPUS, node.name()));
            }
            return;
        }
        if (node.isHeldWhole() || filter.ofGpus(node) == Code.GROUP) {
            return;
        }
        List<Placement> sorted = new ArrayList<>(node.placements());
        sorted.sort(Comparator.comparing(Placement::pod));
        for (Placement placement : sorted) {
            if (filter.fitsGpus(node.without(placement))) {
                String pod = placement.pod().toString();
                changes.add(Change.of(Kind.RELEASE_POD, node.name(), pod));
                return;
            }
        }
        changes.add(Change.of(Kind.FREE_GPUS, node.name()));
    }

    private static void addIdle(GpuRequest request, NodeState node, List<Change> changes) {
        List<Integer> gpus = cheapest(request, node);
        if (node.isHeldWhole()) {
            gpus.forEach(gpu -> addRepair(node, gpu, changes));
            return;
        }
        int asked = request.count();
        if (Long.bitCount(NodeFit.idleAccepted(request, node)) >= asked) {
            return;
        }
        gpus.forEach(gpu -> addRepair(node, gpu, changes));
        int idle = Long.bitCount(NodeFit.idleAccepted(request, repaired(node, gpus)));
        if (idle < asked) {
            String words = "has " + idle + " of " + asked + acceptedOf(request, node);
            changes.add(new Change(Kind.IDLE_GPUS, node.name(), -1, (long) asked - idle, words));
        }
    }

    /** Which GPUs of the node the request accepts, in words; nothing if it accepts all. */
    private static String acceptedOf(GpuRequest request, NodeState node) {
        List<Integer> accepted = IntStream.range(0, node.gpuCount())
                .filter(gpu -> request.selector().accepts(node.node().gpus().get(gpu)))
                .boxed()
                .toList();
        return accepted.size() == node.gpuCount() ? "" : ", accepts gpus " + accepted;
    }

    /** The node once these GPUs are healthy, whatever runs there. */
    private static NodeState repaired(NodeState node, List<Integer> gpus) {
        Node machine = node.node();
        for (int gpu : gpus) {
            machine = node.isHealthy(gpu) ? machine : machine.withGpuHealth(gpu, true);
        }
        return machine.equals(node.node())
                ? node
                : Cluster.of(List.of(machine), node.placements()).node(0);
    }

    /** The GPUs that would serve with the least change, as many as asked for, ascending. */
    private static List<Integer> cheapest(GpuRequest request, NodeState node) {
        List<Integer> gpus = new ArrayList<>();
        for (int g = 0; g < node.gpuCount(); g++) {
            gpus.add(g);
        }
        gpus.sort(Comparator.comparingLong(gpu -> RemedyCost.ofGpu(request, node, gpu)));
        return gpus.stream().limit(request.count()).sorted().toList();
    }

    private static void addShare(GpuRequest share, NodeState node, int gpu, List<Change> changes) {
        addRepair(node, gpu, changes);
        if (node.isHeldWhole()) {
            return;
        }
        if (node.isWhole(gpu)) {
            changes.add(Change.onGpu(Kind.FREE_GPU, node.name(), gpu, 0));
            return;
        }
        Gpu device = node.node().gpus().get(gpu);
        NodeState now = repaired(node, List.of(gpu));
        add(Kind.FREE_GPU_COMPUTE, node, gpu, share.computeMillisOn(device) - now.freeComputeMillis(gpu), changes);
        add(Kind.FREE_GPU_MEMORY, node, gpu, share.memoryMibOn(device) - now.freeMemoryMib(gpu), changes);
        add(Kind.FREE_GPU_SLOTS, node, gpu, share.slotsOn(device) - now.freeSlots(gpu), changes);
    }

    private static void add(Kind kind, NodeState node, int gpu, long missing, List<Change> changes) {
        if (missing > 0) {
            changes.add(Change.onGpu(kind, node.name(), gpu, missing));
        }
    }

    /** The taints of a class that a pod would have to tolerate, as in {@code key=value:NoSchedule}. */
    static List<String> untolerated(Predicate<Taint> tolerated, NodeClass nodeClass) {
        List<String> taints = new ArrayList<>();
        for (Taint taint : nodeClass.taints()) {
            if (taint.effect().forbids() && !tolerated.test(taint)) {
                String effect = taint.effect() == Taint.Effect.NO_SCHEDULE ? "NoSchedule" : "NoExecute";
                taints.add(taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + effect);
            }
        }
        return taints;
    }
}
