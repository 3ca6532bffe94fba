package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the layout on one node that a policy with a {@link DeviceOrder} prefers. */
final class OrderedSearch {
    /*
     * Depth-first, containers and GPUs in the policy's order. Where the order decides, the first complete layout is the
     * answer: it is met without going back wherever choosing one container after the other works. A state (next container,
     * the GPUs of those before it) from which no layout was found is not entered again. Where scores decide all layouts are
     * seen, up to a limit.
     */

    /** How many layouts are scored where scores decide: all of four containers on eight GPUs. */
    private static final int MOST_LAYOUTS = 4_096;

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final DeviceOrder order;
    private final SearchSteps steps;

    /** In the order in which they choose, and where each stands in the pod. */
    private final List<Container> containers;

    private final int[] position;

    /** By depth: the GPUs that the container has. */
    private final long[] chosen;

    private final List<ContainerGrant> granted = new ArrayList<>();
    private final Set<List<Object>> deadEnds = new HashSet<>();
    private long @Nullable [] best;
    private long bestScore;
    private int layouts;
    private boolean outOfSteps;

    private OrderedSearch(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        this.demand = demand;
        this.node = node;
        this.policy = policy;
        this.order = order;
        this.steps = steps;
        this.containers = order.containers(demand.gpuContainers());
        this.position =
                containers.stream().mapToInt(demand.pod().containers()::indexOf).toArray();
        this.chosen = new long[containers.size()];
    }

    /**
     * The layout that is preferred, and the policy's score of it; null if there is none. No container may ask for a whole
     * node.
     */
    static LayoutSearch.@Nullable Found best(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        OrderedSearch search = new OrderedSearch(demand, node, policy, order, steps);
        search.place(0);
        if (search.best == null) {
            return null;
        }
        if (search.layouts >= MOST_LAYOUTS) {
            steps.giveUp();
        }
        return LayoutSearch.complete(Layout.placement(demand, node, search.best), search.bestScore);
    }

    private boolean isDone() {
        return best != null && (order.decides() || layouts >= MOST_LAYOUTS) || outOfSteps;
    }

    private void place(int depth) {
        outOfSteps |= !steps.take(1L + node.gpuCount());
        if (isDone()) {
            return;
        }
        if (depth == containers.size()) {
            consider();
            return;
        }
        List<Object> state = order.decides() ? state(depth) : List.of();
        if (deadEnds.contains(state)) {
            return;
        }
        Container container = containers.get(depth);
        int[] fitting = Arrays.stream(order.gpus(seen(depth), List.copyOf(granted), container))
                .filter(gpu -> fits(depth, gpu))
                .toArray();
        choose(depth, fitting, 0, container.gpu().count(), 0);
        if (order.decides() && best == null) {
            deadEnds.add(state);
        }
    }

    private List<Object> state(int depth) {
        return List.of(depth, Arrays.stream(chosen, 0, depth).boxed().toList());
    }

    /*
     * Of a GPU a pod takes what its ordinary containers and sidecars take together, and before that what each init
     * container takes beside the sidecars that stand before it.
     */
    private boolean fits(int depth, int gpu) {
        if (!NodeFit.fits(containers.get(depth).gpu(), node, gpu)) {
            return false;
        }
        if (!isInit(depth) && !isRoom(gpu, depth, other -> !isInit(other))) {
            return false;
        }
        for (int init = 0; init <= depth; init++) {
            if (isInit(init) && (init == depth || isOn(init, gpu))) {
                int at = init;
                boolean room =
                        isRoom(gpu, depth, other -> other == at || isSidecar(other) && position[other] < position[at]);
                if (!room) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the containers that count, of those on this GPU and the one at this depth, find room together. */
    private boolean isRoom(int gpu, int depth, java.util.function.IntPredicate counts) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        long compute = 0;
        long memory = 0;
        long slots = 0;
        for (int d = 0; d <= depth; d++) {
            if ((d == depth || isOn(d, gpu)) && counts.test(d)) {
                GpuRequest request = containers.get(d).gpu();
                compute += request.computeMillisOn(device);
                memory += request.memoryMibOn(device);
                slots += request.slotsOn(device);
            }
        }
        return compute <= node.freeComputeMillis(gpu)
                && memory <= node.freeMemoryMib(gpu)
                && slots <= node.freeSlots(gpu);
    }

    private boolean isInit(int depth) {
        return containers.get(depth).kind() == ContainerKind.INIT;
    }

    private boolean isSidecar(int depth) {
        return containers.get(depth).kind() == ContainerKind.SIDECAR;
    }

    private boolean isOn(int depth, int gpu) {
        return (chosen[depth] >>> gpu & 1) != 0;
    }

    /** Chooses {@code missing} more of the fitting GPUs, from a position on. */
    private void choose(int depth, int[] fitting, int from, int missing, long taken) {
        if (missing == 0) {
            take(depth, taken);
            return;
        }
        Bond bond = containers.get(depth).gpu().selector().closeness().required();
        for (int at = from; at <= fitting.length - missing && !isDone(); at++) {
            if (Bonds.mates(bond, node.nodeClass(), fitting[at], taken) == taken) {
                choose(depth, fitting, at + 1, missing - 1, taken | 1L << fitting[at]);
            }
        }
    }

    private void take(int depth, long gpus) {
        Container container = containers.get(depth);
        chosen[depth] = gpus;
        granted.add(new ContainerGrant(container.name(), container.kind(), Layout.grant(container.gpu(), node, gpus)));
        place(depth + 1);
        granted.remove(granted.size() - 1);
        chosen[depth] = 0;
    }

    /** The node as a container finds it: an init container beside the sidecars before it, any other beside those before. */
    private NodeState seen(int depth) {
        List<ContainerGrant> beside = new ArrayList<>();
        for (int d = 0; d < depth; d++) {
            boolean sidecarBefore = isSidecar(d) && position[d] < position[depth];
            if (isInit(depth) ? sidecarBefore : !isInit(d)) {
                beside.add(granted.get(d));
            }
        }
        return beside.isEmpty() ? node : node.with(node.assign(demand.pod().id(), Resources.NONE, beside));
    }

    private void consider() {
        layouts++;
        long[] masks = new long[chosen.length];
        for (int d = 0; d < masks.length; d++) {
            masks[demand.gpuContainers().indexOf(containers.get(d))] = chosen[d];
        }
        long score = policy.score(node, node.with(Layout.placement(demand, node, masks)), demand.pod());
        if (best == null || score > bestScore) {
            best = masks;
            bestScore = score;
        }
    }
}
