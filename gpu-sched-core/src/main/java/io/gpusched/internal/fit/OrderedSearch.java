package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the layout on one node that a policy with a {@link DeviceOrder} prefers. */
final class OrderedSearch {
    /*
     * Depth first over units (see LayoutPlan), containers and GPUs in the policy's order, with a stack of its own. Where the
     * order decides, the first complete layout is the answer: it is met without going back wherever choosing one container
     * after the other works. Left out is what LayoutBound proves impossible, and a state that was met before: no layout came of
     * it. The latter says nothing once the policy has left out a GPU that has room, for it may do so at one time and not at
     * another. Where scores decide all layouts are seen, up to a limit.
     */

    /** How many layouts are scored where scores decide: all of four containers on eight GPUs. */
    private static final int MOST_LAYOUTS = 4_096;

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final DeviceOrder order;
    private final SearchSteps steps;
    private final LayoutPlan plan;
    private final LayoutProblem problem;
    private final LayoutLoad load;
    private final @Nullable LayoutBound ahead;
    private final StateSet met = new StateSet();

    /** By depth: the GPUs that have room, in the policy's order. */
    private final int[][] offered;

    /** By unit: which of those offered it has, and the mask of those that may stand beside it and the units before. */
    private final int[] choice;

    private final long[] mates;

    /** What the containers hold that have chosen, in the order in which they did. */
    private final List<ContainerGrant> granted = new ArrayList<>();

    /** Whether choosing one container after the other did not work: from then on it is worth looking ahead. */
    private boolean hasGoneBack;

    private boolean hasLeftOut;
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
        this.plan = plan(demand, order);
        steps.take(LayoutProblem.steps(plan, node));
        this.problem = new LayoutProblem(plan, node, List.of());
        this.load = new LayoutLoad(problem, null);
        this.ahead = plan.containers > 1 ? new LayoutBound(problem, load, steps) : null;
        this.offered = new int[plan.containers][];
        this.choice = new int[plan.units()];
        this.mates = new long[plan.units()];
    }

    private static LayoutPlan plan(PodDemand demand, DeviceOrder order) {
        List<Container> asking = demand.gpuContainers();
        Map<String, Integer> positions = new HashMap<>();
        asking.forEach(container -> positions.put(container.name(), positions.size()));
        List<Container> chosen = order.containers(asking);
        int[] position = chosen.stream()
                .mapToInt(container -> positions.getOrDefault(container.name(), -1))
                .filter(at -> at >= 0)
                .distinct()
                .toArray();
        if (position.length != asking.size() || chosen.size() != asking.size()) {
            throw new IllegalStateException(
                    "device order: containers must be those of the pod, each once, got " + chosen + " for " + asking);
        }
        return LayoutPlan.inOrder(asking, position);
    }

    /**
     * The layout that is preferred, and the policy's score of it; null if there is none. No container may ask for a whole
     * node.
     */
    static LayoutSearch.@Nullable Found best(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        OrderedSearch search = new OrderedSearch(demand, node, policy, order, steps);
        search.walk();
        if (search.outOfSteps) {
            steps.giveUp();
        }
        if (search.best == null) {
            return null;
        }
        if (search.layouts >= MOST_LAYOUTS) {
            steps.giveUp();
        }
        return LayoutSearch.complete(Layout.placement(demand, node, search.best), search.bestScore);
    }

    private boolean isDone() {
        return best != null && (order.decides() || layouts >= MOST_LAYOUTS);
    }

    private void walk() {
        int unit = 0;
        begin(0);
        while (unit >= 0 && !isDone()) {
            outOfSteps |= !steps.take(plan.stepsToPlace());
            if (outOfSteps) {
                return;
            }
            if (!advance(unit)) {
                hasGoneBack = true;
                unit--;
                if (unit >= 0) {
                    load.undo(unit, gpu(unit));
                }
                continue;
            }
            load.place(unit, gpu(unit));
            if (unit + 1 == choice.length) {
                consider();
                load.undo(unit, gpu(unit));
            } else if (isWorthwhile(unit)) {
                unit++;
                begin(unit);
            } else {
                load.undo(unit, gpu(unit));
            }
        }
    }

    private int gpu(int unit) {
        return offered[plan.depth[unit]][choice[unit]];
    }

    /** Starts to go through the GPUs of a unit. */
    private void begin(int unit) {
        int depth = plan.depth[unit];
        if (unit == plan.firstUnit[depth]) {
            offered[depth] = offer(depth);
            mates[unit] = -1L;
            choice[unit] = -1;
        } else {
            mates[unit] = problem.matesOf(plan.type[depth], gpu(unit - 1), mates[unit - 1]);
            choice[unit] = choice[unit - 1];
        }
    }

    /** Goes on to the next GPU of a unit, if there is one with enough behind it for the other units of the container. */
    private boolean advance(int unit) {
        int depth = plan.depth[unit];
        int behind = plan.firstUnit[depth + 1] - unit - 1;
        int[] gpus = offered[depth];
        do {
            choice[unit]++;
        } while (choice[unit] < gpus.length - behind && (mates[unit] >>> gpus[choice[unit]] & 1) == 0);
        return choice[unit] < gpus.length - behind;
    }

    private boolean isWorthwhile(int unit) {
        int next = plan.depth[unit] + 1;
        if (ahead == null || !hasGoneBack || unit + 1 < plan.firstUnit[next]) {
            return true;
        }
        steps.take(problem.gpus);
        if (ahead.from(next) == LayoutBound.IMPOSSIBLE) {
            return false;
        }
        return !order.decides() || hasLeftOut || met.add(load.hash(next), load.otherHash(next));
    }

    /** The GPUs that have room for a container, in the policy's order. */
    private int[] offer(int depth) {
        // a system's order is found with lists and comparisons
        steps.take(8L * problem.gpus + depth / 4);
        if (depth > 0) {
            grant(depth - 1);
        }
        Container container = container(depth);
        long left = load.fitting(depth);
        int[] all = Objects.requireNonNull(
                order.gpus(seen(depth), List.copyOf(granted), container), "policy.deviceOrder().gpus()");
        int[] fitting = new int[Long.bitCount(left)];
        int found = 0;
        for (int gpu : all) {
            if (gpu < 0 || gpu >= problem.gpus) {
                throw new IllegalStateException("device order of " + policy + ": node \"" + node.name()
                        + "\" has GPUs 0.." + (problem.gpus - 1) + ", got " + gpu);
            }
            if ((left >>> gpu & 1) != 0) {
                left &= ~(1L << gpu);
                fitting[found++] = gpu;
            }
        }
        hasLeftOut |= left != 0;
        return Arrays.copyOf(fitting, found);
    }

    private Container container(int depth) {
        return demand.gpuContainers().get(plan.position[depth]);
    }

    /** Notes what the container at this depth has chosen, in place of what it and those behind it had before. */
    private void grant(int depth) {
        granted.subList(depth, granted.size()).clear();
        Container container = container(depth);
        granted.add(new ContainerGrant(
                container.name(), container.kind(), Layout.grant(container.gpu(), node, load.chosen(depth))));
    }

    /** The node as a container finds it: an init container beside the sidecars before it, any other beside those before. */
    private NodeState seen(int depth) {
        long whole = 0;
        for (int d = 0; d < depth; d++) {
            boolean runs = !plan.init[d] && (!plan.init[depth] || plan.group[d] <= plan.group[depth]);
            whole |= runs && plan.requests.get(plan.type[d]).takesWhole() ? load.chosen(d) : 0;
        }
        List<GpuShare> parts = new ArrayList<>();
        for (int g = 0; g < problem.gpus; g++) {
            long word = (whole >>> g & 1) == 0 ? load.beside(depth, g) : 0;
            if (word != 0) {
                parts.add(GpuWord.share(g, word));
            }
        }
        return whole == 0 && parts.isEmpty() ? node : node.assuming(Resources.NONE, whole, parts);
    }

    private void consider() {
        layouts++;
        steps.take(plan.stepsToScore(problem.gpus));
        long[] masks = load.masks();
        long score = policy.score(node, node.with(Layout.placement(demand, node, masks)), demand.pod());
        if (best == null || score > bestScore) {
            best = masks;
            bestScore = score;
        }
    }
}
