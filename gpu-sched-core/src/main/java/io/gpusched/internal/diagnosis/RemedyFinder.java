package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Change;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Keeps the node on which the least would have to change, and says what. */
final class RemedyFinder {
    private final NodeReasons filter;
    private final PodDemand demand;
    private final RemedyCost costs;

    /** The pods that cannot be asked to leave. */
    private final Predicate<PodId> stays;

    private @Nullable NodeState nearest;
    private long least = RemedyCost.IMPOSSIBLE - 1;

    RemedyFinder(NodeReasons filter, Predicate<PodId> stays) {
        this.filter = filter;
        this.demand = filter.demand();
        this.costs = new RemedyCost(filter);
        this.stays = stays;
    }

    /** Considers a node that comes after all others that were considered in node order; of equal ones the first is kept. */
    void offer(NodeState node) {
        long cost = costs.of(node);
        if (cost < least && isEnough(node)) {
            least = cost;
            nearest = node;
        }
    }

    boolean isFound() {
        return nearest != null;
    }

    /** Whether there is room on a node once all pods have left that need not stay. */
    private boolean isEnough(NodeState node) {
        return staying(node).isEmpty() || filter.ofRoom(emptied(node)) == Code.GROUP;
    }

    /** The node once all pods have left that need not stay. */
    private NodeState emptied(NodeState node) {
        NodeState emptied = node;
        for (Placement placement : leaving(node)) {
            emptied = emptied.without(placement);
        }
        return emptied;
    }

    /** The pods of a node that must stay: they cannot be asked to leave, or the pod must be near them. */
    private Set<PodId> staying(NodeState node) {
        Set<PodId> staying = new LinkedHashSet<>();
        RuleSet rules = demand.rules();
        if (rules != null) {
            rules.needed(node).forEach(placement -> staying.add(placement.pod()));
        }
        node.placements().stream().map(Placement::pod).filter(stays).forEach(staying::add);
        return staying;
    }

    /** The pods of a node that may leave, by name. */
    private List<Placement> leaving(NodeState node) {
        Set<PodId> staying = staying(node);
        return node.placements().stream()
                .filter(placement -> !staying.contains(placement.pod()))
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
    }

    /** Returns what would have to change on the nearest node, what the pod would have to accept first; nothing if there is no node. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        if (nearest != null) {
            String name = nearest.name();
            ReasonTally.untolerated(demand, nearest)
                    .forEach(taint -> changes.add(new Change.TolerateTaint(name, taint)));
            if (!filter.acceptsLabels(nearest)) {
                changes.add(new Change.AcceptLabels(name));
            }
            addNode(nearest, changes);
            if (!demand.gpuContainers().isEmpty()) {
                addGpus(nearest, changes);
            }
        }
        return changes;
    }

    private void addNode(NodeState node, List<Change> changes) {
        String name = node.name();
        if (FitRule.isCordoned(demand, node)) {
            changes.add(new Change.Uncordon(name));
        }
        if (node.isHeldWhole()) {
            changes.add(release(node, node.placements(), 1));
            return;
        }
        if (demand.wholeNode()) {
            return;
        }
        if (node.podCount() >= node.node().maxPods()) {
            changes.add(release(node, leaving(node), 1));
        }
        free(node, Quantity.CPU_MILLIS, demand.resources().cpuMillis() - node.freeCpuMillis(), "", changes);
        free(node, Quantity.MEMORY_MIB, demand.resources().memoryMib() - node.freeMemoryMib(), "", changes);
        demand.resources()
                .named()
                .asMap()
                .forEach((resource, asked) ->
                        free(node, Quantity.RESOURCE, asked - node.free(resource), resource, changes));
    }

    private static void free(NodeState node, Quantity quantity, long missing, String resource, List<Change> changes) {
        if (missing > 0) {
            changes.add(new Change.FreeOnNode(node.name(), quantity, missing, resource));
        }
    }

    private void addGpus(NodeState node, List<Change> changes) {
        GpuRequest single = demand.single();
        if (demand.wholeNode()) {
            addWholeNode(node, changes);
        } else if (single == null || !demand.countsDecide()) {
            addLayout(node, changes);
        } else if (single instanceof GpuRequest.Share share) {
            List<Integer> gpus = cheapest(share, node);
            releaseWhole(gpus, node, changes);
            gpus.forEach(gpu -> addShare(share, node, gpu, changes));
        } else {
            addIdle(single, node, changes);
        }
    }

    private static Change release(NodeState node, List<Placement> pods, int count) {
        return new Change.ReleasePods(
                node.name(), pods.stream().map(Placement::pod).sorted().toList(), count);
    }

    /** Lets the pods go that hold any of these GPUs whole. */
    private static void releaseWhole(List<Integer> gpus, NodeState node, List<Change> changes) {
        List<Placement> holders = node.placements().stream()
                .filter(placement -> gpus.stream().anyMatch(gpu -> node.isWhole(gpu) && holds(placement, gpu)))
                .toList();
        if (!holders.isEmpty() && !node.isHeldWhole()) {
            changes.add(release(node, holders, holders.size()));
        }
    }

    private static boolean holds(Placement placement, int gpu) {
        return placement.containers().stream()
                .anyMatch(container -> container.gpus().indexes().contains(gpu));
    }

    private static void addWholeNode(NodeState node, List<Change> changes) {
        addRepairs(node, changes);
        if (!node.isEmpty() && !node.isHeldWhole()) {
            changes.add(release(node, node.placements(), node.podCount()));
        }
    }

    private static void addRepairs(NodeState node, List<Change> changes) {
        for (int g = 0; g < node.gpuCount(); g++) {
            addRepair(node, g, changes);
        }
    }

    private static void addRepair(NodeState node, int gpu, List<Change> changes) {
        if (!node.isHealthy(gpu)) {
            changes.add(new Change.RepairGpu(node.name(), gpu));
        }
    }

    private void addLayout(NodeState node, List<Change> changes) {
        if (!node.isHealthy() && !filter.fitsHealthy(node)) {
            addRepairs(node, changes);
            if (!node.isEmpty() && !node.isHeldWhole()) {
                freeGpus(
                        repaired(
                                node,
                                IntStream.range(0, node.gpuCount()).boxed().toList()),
                        changes);
            }
            return;
        }
        if (node.isHeldWhole() || filter.ofGpus(node) == Code.GROUP) {
            return;
        }
        for (Placement placement : leaving(node)) {
            if (filter.fitsGpus(node.without(placement))) {
                changes.add(release(node, List.of(placement), 1));
                return;
            }
        }
        freeGpus(node, changes);
    }

    /** Releases the pods that are in the way: a pod stays if there is room beside it, and those with the fewest GPUs are asked first. */
    private void freeGpus(NodeState node, List<Change> changes) {
        List<Placement> holders = leaving(node).stream()
                .filter(placement -> held(placement) > 0)
                .sorted(Comparator.comparingInt(RemedyFinder::held))
                .toList();
        NodeState left = node;
        for (Placement holder : holders) {
            left = left.without(holder);
        }
        List<Placement> released = new ArrayList<>();
        for (Placement holder : holders) {
            NodeState more = left.with(holder);
            if (filter.fitsGpus(more)) {
                left = more;
            } else {
                released.add(holder);
            }
        }
        if (!released.isEmpty()) {
            changes.add(release(node, released, released.size()));
        }
    }

    private static int held(Placement placement) {
        return placement.containers().stream()
                .map(ContainerGrant::gpus)
                .mapToInt(grant -> grant.indexes().size())
                .sum();
    }

    private void addIdle(GpuRequest request, NodeState node, List<Change> changes) {
        List<Integer> gpus = cheapest(request, node);
        if (node.isHeldWhole()) {
            gpus.forEach(gpu -> addRepair(node, gpu, changes));
            return;
        }
        int asked = request.count();
        if (Long.bitCount(FitRule.idleAccepted(request, node)) >= asked) {
            return;
        }
        gpus.forEach(gpu -> addRepair(node, gpu, changes));
        int idle = Long.bitCount(FitRule.idleAccepted(request, repaired(node, gpus)));
        if (idle < asked) {
            changes.add(new Change.FreeIdleGpus(node.name(), asked - idle, idle, acceptedOf(request, node)));
        }
    }

    /** Which GPUs of the node the request accepts; none if it accepts all. */
    private static List<Integer> acceptedOf(GpuRequest request, NodeState node) {
        List<Integer> accepted = IntStream.range(0, node.gpuCount())
                .filter(gpu -> request.selector().accepts(node.node().gpus().get(gpu)))
                .boxed()
                .toList();
        return accepted.size() == node.gpuCount() ? List.of() : accepted;
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

    /** The GPUs that would serve with the least change, as many as asked for, ascending; first those on which pods that stay leave enough. */
    private List<Integer> cheapest(GpuRequest request, NodeState node) {
        NodeState emptied = emptied(node);
        return IntStream.range(0, node.gpuCount())
                .boxed()
                .sorted(Comparator.<Integer, Boolean>comparing(gpu -> RemedyCost.isUnfit(request, emptied, gpu))
                        .thenComparingLong(gpu -> RemedyCost.ofGpu(request, node, gpu)))
                .limit(request.count())
                .sorted()
                .toList();
    }

    private static void addShare(GpuRequest.Share share, NodeState node, int gpu, List<Change> changes) {
        addRepair(node, gpu, changes);
        if (node.isHeldWhole() || node.isWhole(gpu)) {
            return;
        }
        GpuShare part = share.on(node.node().gpus().get(gpu));
        NodeState now = repaired(node, List.of(gpu));
        free(node, gpu, Quantity.GPU_COMPUTE_MILLIS, part.computeMillis() - now.freeComputeMillis(gpu), changes);
        free(node, gpu, Quantity.GPU_MEMORY_MIB, part.memoryMib() - now.freeMemoryMib(gpu), changes);
        free(node, gpu, Quantity.GPU_SLOTS, part.slots() - now.freeSlots(gpu), changes);
    }

    private static void free(NodeState node, int gpu, Quantity quantity, long missing, List<Change> changes) {
        if (missing > 0) {
            changes.add(new Change.FreeOnGpu(node.name(), gpu, quantity, missing));
        }
    }
}
