package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.analysis.UpperBound;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.testkit.PartitionWorld;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is placed never takes more than the bound for all that was asked, whatever pods ask. */
class UpperBoundProperties {
    @Property(tries = 400)
    void podsOfEveryKind_neverTakeMoreThanTheirBound(@ForAll long seed) {
        SmallWorld world = SmallWorld.withChoices(seed);
        assertBounded(emptied(world.cluster(4)), world::pod, seed);
    }

    @Property(tries = 400)
    void podsWithPartitions_neverTakeMoreThanTheirBound(@ForAll long seed) {
        PartitionWorld world = new PartitionWorld(seed);
        int[] number = {0};
        assertBounded(emptied(world.cluster()), () -> world.pod(number[0]++), seed);
    }

    @Property(tries = 400)
    void podsOnGpusOfUnequalCompute_neverTakeMoreThanTheirBound(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        for (NodeState state : world.cluster(4).nodes()) {
            Node node = state.node();
            List<Gpu> gpus = node.gpus().stream()
                    .map(gpu -> gpu.withComputeMillis(500 * (1 + random.nextInt(4))))
                    .toList();
            nodes.add(new Node(
                    node.name(),
                    node.mode(),
                    node.capacity(),
                    node.maxPods(),
                    node.labels(),
                    node.taints(),
                    node.topology(),
                    gpus,
                    node.links(),
                    node.cordoned(),
                    node.residents()));
        }
        assertBounded(Cluster.of(nodes), world::pod, seed);
    }

    private static Cluster emptied(Cluster cluster) {
        return Cluster.of(cluster.nodes().stream().map(NodeState::node).toList());
    }

    private static void assertBounded(Cluster empty, Supplier<Pod> pods, long seed) {
        GpuScheduler scheduler = GpuScheduler.create();
        List<Pod> asked = new ArrayList<>();
        Cluster cluster = empty;
        for (int i = new Random(seed).nextInt(12); i >= 0; i--) {
            Pod pod = pods.get();
            asked.add(pod);
            cluster = scheduler.schedule(cluster, pod) instanceof Placed placed
                    ? cluster.with(placed.placement())
                    : cluster;
        }
        assertThat((double) cluster.totals().usedGpuComputeMillis())
                .as("%s on %s", asked, empty.nodes())
                .isLessThanOrEqualTo(UpperBound.of(empty, asked).gpuMillis() + 0.001);
    }
}
