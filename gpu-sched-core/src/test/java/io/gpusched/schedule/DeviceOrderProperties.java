package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.testkit.StressCase;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Policies that name the order of GPUs on a node, against all legal layouts there are. */
class DeviceOrderProperties {
    /** Highest index first, the last container first. */
    private static final DeviceOrder HIGHEST = new StressCase.HighestFirst(true);

    private static PlacementPolicy ordered(DeviceOrder order) {
        return new PlacementPolicy() {
            @Override
            public long score(NodeState before, NodeState after, Pod pod) {
                return 0;
            }

            @Override
            public Optional<DeviceOrder> deviceOrder() {
                return Optional.of(order);
            }
        };
    }

    /** The positions of a layout's GPUs in the order, the container that chooses first in front. */
    private static List<List<Integer>> positions(NodeState node, Placement placement) {
        List<List<Integer>> positions = new ArrayList<>();
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None) && !(grant.gpus() instanceof GpuGrant.WholeNode)) {
                positions.add(
                        0,
                        grant.gpus().indexes().stream()
                                .map(gpu -> node.gpuCount() - 1 - gpu)
                                .sorted()
                                .toList());
            }
        }
        return positions;
    }

    private static final Comparator<List<Integer>> BY_PLACE = (a, b) -> {
        for (int i = 0; i < a.size(); i++) {
            if (!a.get(i).equals(b.get(i))) {
                return a.get(i) - b.get(i);
            }
        }
        return 0;
    };

    private static int compare(List<List<Integer>> a, List<List<Integer>> b) {
        for (int i = 0; i < a.size(); i++) {
            int difference = BY_PLACE.compare(a.get(i), b.get(i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    @Property(tries = 1500)
    void theFirstLayoutInTheOrderIsTaken(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(2);
        Pod pod = world.pod().withId(io.gpusched.model.PodId.of("asked"));
        for (NodeState node : cluster.nodes()) {
            Optional<List<List<Integer>>> best = BruteForce.isAdmitted(node, pod)
                    ? BruteForce.ways(node, pod).stream()
                            .map(after ->
                                    positions(node, after.placement(pod.id()).orElseThrow()))
                            .min(DeviceOrderProperties::compare)
                    : Optional.empty();
            Optional<Placement> found = GpuScheduler.builder()
                    .policy(ordered(HIGHEST))
                    .memory(0)
                    .build()
                    .place(node, pod);
            assertThat(found.map(placement -> positions(node, placement)))
                    .as("%s on %s", pod, node)
                    .isEqualTo(best);
        }
    }

    @Property(tries = 500)
    void anOrderChangesNothingAboutWhatFits_withAndWithoutMemory(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(4);
        GpuScheduler remembering = GpuScheduler.of(ordered(HIGHEST));
        for (int i = 0; i < 6; i++) {
            Pod pod = world.pod();
            var decision = remembering.schedule(cluster, pod);
            assertThat(decision.isPlaced())
                    .isEqualTo(GpuScheduler.builder()
                            .policy(FirstFit.of())
                            .memory(0)
                            .build()
                            .schedule(cluster, pod)
                            .isPlaced());
            if (decision instanceof Placed placed) {
                assertThat(GpuScheduler.builder()
                                .policy(ordered(HIGHEST))
                                .memory(0)
                                .build()
                                .schedule(cluster, pod))
                        .isEqualTo(decision);
                cluster = cluster.with(placed.placement());
            }
        }
    }

    @Property(tries = 300)
    void whereScoresDecide_theOrderBreaksTies(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(1);
        Pod pod = world.pod().withId(io.gpusched.model.PodId.of("asked"));
        NodeState node = cluster.node(0);
        DeviceOrder ties = new DeviceOrder() {
            @Override
            public int[] gpus(NodeState state, List<ContainerGrant> earlier, Container container) {
                return HIGHEST.gpus(state, earlier, container);
            }

            @Override
            public List<Container> containers(List<Container> containers) {
                return HIGHEST.containers(containers);
            }

            @Override
            public boolean decides() {
                return false;
            }
        };
        assertThat(GpuScheduler.builder()
                        .policy(ordered(ties))
                        .memory(0)
                        .build()
                        .place(node, pod))
                .isEqualTo(GpuScheduler.builder()
                        .policy(ordered(HIGHEST))
                        .memory(0)
                        .build()
                        .place(node, pod));
    }
}
