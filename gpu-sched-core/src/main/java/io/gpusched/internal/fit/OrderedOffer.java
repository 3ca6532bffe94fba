package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a policy with an {@linkplain DeviceOrder order} of its own offers to one container after the other. */
final class OrderedOffer {
    private static final int[] NOTHING = {};

    private final PodDemand demand;
    private final DeviceOrder order;
    private final Predicate<SearchSteps> inAnyOrder;
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;

    /** What the containers hold that have chosen, in the order in which they did. */
    private final List<ContainerGrant> granted = new ArrayList<>();

    /** Whether GPUs with room were left out: what leads to nothing now may lead to something after other choices. */
    private boolean hasLeftOut;

    /**
     * @param inAnyOrder whether there is a layout in whatever order, as far as some steps tell
     */
    OrderedOffer(
            PodDemand demand,
            DeviceOrder order,
            Predicate<SearchSteps> inAnyOrder,
            LayoutProblem problem,
            LayoutLoad load) {
        this.demand = demand;
        this.order = order;
        this.inAnyOrder = inAnyOrder;
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
    }

    /** Returns the plan in which containers choose as an order says. Partitions of init containers are not shared there. */
    static LayoutPlan plan(PodDemand demand, DeviceOrder order) {
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
        return LayoutPlan.inOrder(
                demand.needsPartitions()
                        ? asking.stream().map(OrderedOffer::running).toList()
                        : asking,
                position);
    }

    private static Container running(Container container) {
        return new Container(container.name(), ContainerKind.ORDINARY, container.resources(), container.gpu());
    }

    boolean hasLeftOut() {
        return hasLeftOut;
    }

    /** Returns whether the first layout is taken. */
    boolean decides() {
        return order.decides() || demand.needsPartitions();
    }

    /** Returns whether no order at all leads to a layout, as far as half of the steps tell. One container alone is told by its offer. */
    boolean isImpossible(SearchSteps steps) {
        if (plan.containers == 1) {
            return false;
        }
        long allowed = steps.left() / 2;
        SearchSteps part = steps.atMost(allowed);
        boolean isPossible = inAnyOrder.test(part);
        steps.spend(allowed, part);
        return !isPossible && !part.isReached();
    }

    /**
     * Returns the GPUs that the container at this depth may get, or the places of its partitions, in the order of preference.
     *
     * @param fitting the GPUs on which it has room
     */
    int[] offer(int depth, long fitting) {
        if (depth > 0) {
            grant(depth - 1);
        }
        Container container = container(depth);
        NodeState seen = depth == 0 ? problem.node : load.outcome.seen(depth);
        List<ContainerGrant> earlier = List.copyOf(granted);
        if (container.gpu() instanceof GpuRequest.Partition request) {
            return codes(request, order.partitions(seen, earlier, container));
        }
        int[] gpus = Objects.requireNonNull(order.gpus(seen, earlier, container), "policy.deviceOrder().gpus()");
        long left = fitting;
        for (int gpu : gpus) {
            if (gpu < 0 || gpu >= problem.gpus) {
                throw new IllegalStateException(
                        "device order of pod \"" + demand.pod().id() + "\": node \"" + problem.node.name()
                                + "\" has GPUs 0.." + (problem.gpus - 1) + ", got " + gpu);
            }
            left &= ~(1L << gpu);
        }
        hasLeftOut |= left != 0;
        return gpus;
    }

    private Container container(int depth) {
        return demand.gpuContainers().get(plan.position[depth]);
    }

    /** Notes what the container at this depth has chosen, in place of what it and those behind it had before. */
    private void grant(int depth) {
        granted.subList(depth, granted.size()).clear();
        Container container = container(depth);
        granted.add(new ContainerGrant(container.name(), container.kind(), load.outcome.granted(depth)));
    }

    /** The places of named partitions; nothing if they are too few or not what is asked for. */
    private int[] codes(GpuRequest.Partition request, List<GpuPartition> named) {
        if (named.size() != request.instances()) {
            return NOTHING;
        }
        int[] codes = new int[named.size()];
        for (int i = 0; i < codes.length; i++) {
            GpuPartition partition = named.get(i);
            @Nullable PartitionTable table = partition.gpu() < problem.gpus ? problem.tables[partition.gpu()] : null;
            int place = table == null ? -1 : table.find(partition.profile(), partition.start(), partition.mode());
            if (place < 0 || !partition.profile().equals(request.profile())) {
                return NOTHING;
            }
            codes[i] = PlaceLoad.code(partition.gpu(), place);
        }
        return codes;
    }
}
