package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
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
     * what is taken of each GPU) from which no layout was found is not entered again. Where scores decide all layouts are
     * seen, up to a limit.
     */
    private static final int STEP_LIMIT = ContainerSearch.STEP_LIMIT;

    /** How many layouts are scored where scores decide: all of four containers on eight GPUs. */
    private static final int MOST_LAYOUTS = 4_096;

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final DeviceOrder order;
    private final List<Container> containers;
    private final DeviceUse[] use;
    private final long[] chosen;
    private final List<ContainerGrant> granted = new ArrayList<>();
    private final Set<List<Object>> deadEnds = new HashSet<>();
    private LayoutSearch.@Nullable Found best;
    private int steps;
    private int layouts;

    private OrderedSearch(PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order) {
        this.demand = demand;
        this.node = node;
        this.policy = policy;
        this.order = order;
        this.containers = order.containers(demand.gpuContainers());
        this.use = new DeviceUse[node.gpuCount()];
        Arrays.fill(use, DeviceUse.NOTHING);
        this.chosen = new long[containers.size()];
    }

    /** Returns the layout that is preferred, or null if there is none. No container may ask for a whole node. */
    static LayoutSearch.@Nullable Found best(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order) {
        OrderedSearch search = new OrderedSearch(demand, node, policy, order);
        search.place(0);
        return search.best;
    }

    private boolean isDone() {
        return best != null && (order.decides() || layouts >= MOST_LAYOUTS) || steps >= STEP_LIMIT;
    }

    private void place(int depth) {
        if (isDone()) {
            return;
        }
        steps++;
        if (depth == containers.size()) {
            consider();
            return;
        }
        List<Object> state = order.decides() ? List.of(depth, List.of(use)) : List.of();
        if (deadEnds.contains(state)) {
            return;
        }
        Container container = containers.get(depth);
        int[] fitting = Arrays.stream(order.gpus(seen(container), List.copyOf(granted), container))
                .filter(gpu -> fits(container, gpu))
                .toArray();
        choose(depth, fitting, 0, count(container.gpu()), 0);
        if (order.decides() && best == null) {
            deadEnds.add(state);
        }
    }

    private boolean fits(Container container, int gpu) {
        return NodeFit.accepts(container.gpu().selector(), node, gpu) && use[gpu].fits(container, node, gpu);
    }

    private static int count(GpuRequest request) {
        return request instanceof GpuRequest.Exclusive exclusive
                ? exclusive.count()
                : ((GpuRequest.Share) request).count();
    }

    /** Chooses {@code missing} more of the fitting GPUs, from a position on. */
    private void choose(int depth, int[] fitting, int from, int missing, long taken) {
        if (missing == 0) {
            take(depth, taken);
            return;
        }
        boolean together = containers.get(depth).gpu().selector().sameNumaNode();
        for (int at = from; at <= fitting.length - missing && !isDone(); at++) {
            if (!together || taken == 0 || isOnNumaOf(taken, fitting[at])) {
                choose(depth, fitting, at + 1, missing - 1, taken | 1L << fitting[at]);
            }
        }
    }

    private boolean isOnNumaOf(long taken, int gpu) {
        int first = Long.numberOfTrailingZeros(taken);
        return node.node().gpus().get(first).numaNode()
                == node.node().gpus().get(gpu).numaNode();
    }

    private void take(int depth, long gpus) {
        Container container = containers.get(depth);
        DeviceUse[] before = use.clone();
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            use[gpu] = use[gpu].plus(container, node, gpu);
        }
        chosen[demand.gpuContainers().indexOf(container)] = gpus;
        granted.add(
                new ContainerGrant(container.name(), container.init(), Layout.grant(container.gpu(), node, gpus)));
        place(depth + 1);
        granted.remove(granted.size() - 1);
        System.arraycopy(before, 0, use, 0, use.length);
    }

    /** The node as a container finds it: an init container runs alone. */
    private NodeState seen(Container container) {
        List<ContainerGrant> beside = granted.stream().filter(grant -> !grant.init()).toList();
        return container.init() || beside.isEmpty()
                ? node
                : node.with(Placement.on(node, demand.pod().id(), Resources.NONE, beside));
    }

    private void consider() {
        layouts++;
        Placement placement = Layout.placement(demand, node, chosen);
        long score = policy.score(node, node.with(placement), demand.pod());
        best = LayoutSearch.better(best, new LayoutSearch.Complete(placement, score));
    }
}
