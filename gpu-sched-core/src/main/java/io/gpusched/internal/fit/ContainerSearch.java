package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The exact search behind {@link LayoutSearch} for pods of several GPU containers, requests for several GPUs, and GPUs
 * that differ.
 */
public final class ContainerSearch {
    /*
     * Depth-first over containers, the hardest to place first; for each, over the sets of GPUs it may get. GPUs that no
     * container can tell apart form a kind, and of a kind only the lowest indexes are tried. A state of the search
     * (next container, what is taken of each kind's GPUs) that was met before is not entered again: what follows is the
     * same up to a renaming of equal GPUs. Nodes have few GPUs and pods few containers, so that this stays small; the
     * limit on steps is for pods made to break it.
     */
    public static final int STEP_LIMIT = 200_000;

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final List<Container> containers;
    private final int[] searchOrder;
    private final int[] kind;

    /** By GPU: what ordinary containers take, and the most that one init container takes. */
    private final DeviceUse[] use;

    private final long[] chosen;

    /** Where each way goes instead of being scored, or null. */
    private final @Nullable Consumer<Placement> sink;

    private final Set<List<Object>> visited = new HashSet<>();
    private LayoutSearch.@Nullable Found best;
    private int steps;

    private ContainerSearch(PodDemand demand, NodeState node, PlacementPolicy policy) {
        this(demand, node, policy, demand.gpuContainers(), null);
    }

    private ContainerSearch(
            PodDemand demand,
            NodeState node,
            PlacementPolicy policy,
            List<Container> distinguishing,
            @Nullable Consumer<Placement> sink) {
        this.sink = sink;
        this.demand = demand;
        this.node = node;
        this.policy = policy;
        this.containers = demand.gpuContainers();
        this.searchOrder = hardestFirst(containers);
        this.kind = kinds(node, distinguishing);
        this.use = new DeviceUse[node.gpuCount()];
        Arrays.fill(use, DeviceUse.NOTHING);
        this.chosen = new long[containers.size()];
    }

    public static LayoutSearch.@Nullable Found best(PodDemand demand, NodeState node, PlacementPolicy policy) {
        if (demand.wholeNode()) {
            return bestWholeNode(demand, node, policy);
        }
        ContainerSearch search = new ContainerSearch(demand, node, policy);
        search.place(0);
        return search.best;
    }

    /**
     * Hands over every way to lay a pod out on a node's GPUs, those that differ only in GPUs alike to all the
     * distinguishing containers at least once; returns whether none was left out at the limit of steps.
     */
    public static boolean forEach(
            PodDemand demand, NodeState node, List<Container> distinguishing, Consumer<Placement> sink) {
        if (demand.wholeNode()) {
            if (NodeFit.canTakeWhole(demand.gpuContainers().get(0).gpu(), node)) {
                sink.accept(Layout.placement(demand, node, new long[1]));
            }
            return true;
        }
        ContainerSearch search = new ContainerSearch(demand, node, FirstFit.of(), distinguishing, sink);
        search.place(0);
        return search.steps < STEP_LIMIT;
    }

    /** Returns whether the search on this node would give up before it has seen everything. */
    public static boolean reachesLimit(PodDemand demand, NodeState node, PlacementPolicy policy) {
        if (demand.wholeNode()) {
            return false;
        }
        ContainerSearch search = new ContainerSearch(demand, node, policy);
        search.place(0);
        return search.steps >= STEP_LIMIT;
    }

    private static LayoutSearch.@Nullable Found bestWholeNode(
            PodDemand demand, NodeState node, PlacementPolicy policy) {
        if (!NodeFit.canTakeWhole(demand.gpuContainers().get(0).gpu(), node)) {
            return null;
        }
        Placement placement = Layout.placement(demand, node, new long[1]);
        return new LayoutSearch.Complete(placement, policy.score(node, node.with(placement), demand.pod()));
    }

    private static int[] hardestFirst(List<Container> containers) {
        Comparator<Integer> byNeed = Comparator.comparing(
                        (Integer at) -> containers.get(at).init())
                .thenComparingLong(at -> -weight(containers.get(at).gpu()));
        return IntStream.range(0, containers.size())
                .boxed()
                .sorted(byNeed)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static long weight(GpuRequest request) {
        if (request instanceof GpuRequest.Exclusive exclusive) {
            return exclusive.count() * 1_000_000_000_000L;
        }
        GpuRequest.Share share = (GpuRequest.Share) request;
        return share.count() * 1_000_000_000L
                + share.computeMillis() * 1_000L
                + share.memory().on(1_000);
    }

    /** Numbers the GPUs so that two have the same number if no container can tell them apart. */
    private static int[] kinds(NodeState node, List<Container> containers) {
        int[] kind = new int[node.gpuCount()];
        for (int g = 0; g < kind.length; g++) {
            kind[g] = g;
            for (int earlier = 0; earlier < g && kind[g] == g; earlier++) {
                if (node.isInterchangeable(earlier, g) && acceptedAlike(node, containers, earlier, g)) {
                    kind[g] = kind[earlier];
                }
            }
        }
        return kind;
    }

    private static boolean acceptedAlike(NodeState node, List<Container> containers, int a, int b) {
        Gpu first = node.node().gpus().get(a);
        Gpu second = node.node().gpus().get(b);
        for (Container container : containers) {
            if (container.gpu().selector().accepts(first)
                    != container.gpu().selector().accepts(second)) {
                return false;
            }
        }
        return true;
    }

    private void place(int depth) {
        if (steps++ >= STEP_LIMIT) {
            return;
        }
        if (depth == containers.size()) {
            Placement placement = Layout.placement(demand, node, chosen);
            if (sink != null) {
                sink.accept(placement);
                return;
            }
            long score = policy.score(node, node.with(placement), demand.pod());
            best = LayoutSearch.better(best, new LayoutSearch.Complete(placement, score));
            return;
        }
        if (depth > 1 && !visited.add(state(depth))) {
            return;
        }
        Container container = containers.get(searchOrder[depth]);
        long fitting = 0;
        for (int g = 0; g < use.length; g++) {
            if (NodeFit.accepts(container.gpu().selector(), node, g)
                    && use[g].fits(container, sidecarsBefore(searchOrder[depth], g), node, g)) {
                fitting |= 1L << g;
            }
        }
        choose(depth, container, fitting, count(container.gpu()), 0);
    }

    private static int count(GpuRequest request) {
        return request instanceof GpuRequest.Exclusive exclusive
                ? exclusive.count()
                : ((GpuRequest.Share) request).count();
    }

    /** Chooses {@code missing} more of the fitting GPUs, the highest chosen so far being below all that remain. */
    private void choose(int depth, Container container, long fitting, int missing, long taken) {
        if (missing == 0) {
            take(depth, container, taken);
            return;
        }
        if (Long.bitCount(fitting) < missing) {
            return;
        }
        int gpu = Long.numberOfTrailingZeros(fitting);
        long others = fitting & (fitting - 1);
        if (!container.gpu().selector().sameNumaNode() || onSameNuma(taken, gpu)) {
            choose(depth, container, others, missing - 1, taken | 1L << gpu);
        }
        long rest = others;
        for (long scan = others; scan != 0; scan &= scan - 1) {
            int other = Long.numberOfTrailingZeros(scan);
            if (alike(gpu, other)) {
                rest &= ~(1L << other);
            }
        }
        choose(depth, container, rest, missing, taken);
    }

    private boolean onSameNuma(long taken, int gpu) {
        return taken == 0
                || node.node().gpus().get(Long.numberOfTrailingZeros(taken)).numaNode()
                        == node.node().gpus().get(gpu).numaNode();
    }

    private boolean alike(int a, int b) {
        return kind[a] == kind[b] && use[a].equals(use[b]);
    }

    private void take(int depth, Container container, long gpus) {
        DeviceUse[] undo = use.clone();
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            DeviceUse before = sidecarsBefore(searchOrder[depth], gpu);
            use[gpu] = use[gpu].plus(container, searchOrder[depth], before, node, gpu);
        }
        chosen[searchOrder[depth]] = gpus;
        place(depth + 1);
        System.arraycopy(undo, 0, use, 0, use.length);
    }

    /** What the sidecars that start before an init container take of a GPU; they are laid out before it. */
    private DeviceUse sidecarsBefore(int position, int gpu) {
        DeviceUse before = DeviceUse.NOTHING;
        if (!containers.get(position).init() || use[gpu].sidecars().isEmpty()) {
            return before;
        }
        for (int sidecar : use[gpu].sidecars()) {
            if (sidecar < position) {
                before = before.plus(containers.get(sidecar), sidecar, before, node, gpu);
            }
        }
        return before;
    }

    private List<Object> state(int depth) {
        List<String> gpus = new ArrayList<>(use.length);
        for (int g = 0; g < use.length; g++) {
            if (!use[g].equals(DeviceUse.NOTHING)) {
                gpus.add(kind[g] + ":" + use[g]);
            }
        }
        gpus.sort(null);
        return List.of(depth, gpus);
    }
}
