package io.gpusched.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is placed never takes more than the bound for all that was asked, whatever pods ask. */
class UpperBoundProperties {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);
    private static final List<String> PROFILES = List.of("1g.5gb", "2g.10gb", "3g.20gb", "7g.40gb");

    /** A small cluster on which nothing runs, and pods that ask for anything. */
    private static final class World {
        private final Random random;
        private final boolean hasPartitions;
        private final boolean isEqual;

        World(long seed, boolean hasPartitions, boolean isEqual) {
            this.random = new Random(seed);
            this.hasPartitions = hasPartitions;
            this.isEqual = isEqual;
        }

        private boolean oneIn(int n) {
            return random.nextInt(n) == 0;
        }

        Cluster cluster() {
            List<Node> nodes = new ArrayList<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                Node.Builder node = Node.builder("n" + n)
                        .mode(oneIn(2) ? NodeMode.MIXED : NodeMode.values()[random.nextInt(3)])
                        .capacity(2_000 + 1_000L * random.nextInt(6), 1_000 + 500L * random.nextInt(6));
                for (int g = random.nextInt(4) - 1; g >= 0; g--) {
                    int index = node.build().gpus().size();
                    Gpu gpu = Gpu.of(index, "n" + n + "-" + index, A100);
                    gpu = isEqual ? gpu : gpu.withComputeMillis(500 * (1 + random.nextInt(4)));
                    node.gpu(hasPartitions && !oneIn(3) ? gpu.withPartitions(MigGeometry.A100_40GB.geometry()) : gpu);
                }
                nodes.add(node.build());
            }
            return Cluster.of(nodes);
        }

        Pod pod(int number) {
            if (oneIn(12)) {
                return Pod.of("p" + number, Resources.of(500, 200), GpuRequest.wholeNode());
            }
            List<Container> containers = new ArrayList<>();
            for (int c = oneIn(3) ? 1 + random.nextInt(3) : 1; c > 0; c--) {
                ContainerKind kind = oneIn(5) ? ContainerKind.values()[random.nextInt(3)] : ContainerKind.ORDINARY;
                GpuRequest gpu = oneIn(6) ? choice() : request();
                containers.add(new Container("c" + c, kind, Resources.of(500L * random.nextInt(4), 200), gpu));
            }
            return new Pod(PodId.of("p" + number), containers, NodeSelector.ANY, List.of());
        }

        private GpuRequest choice() {
            return GpuRequest.firstOf(
                    GpuRequest.exclusive(1 + random.nextInt(3)), GpuRequest.percent(10 * (1 + random.nextInt(10))));
        }

        private GpuRequest request() {
            return switch (random.nextInt(hasPartitions ? 6 : 5)) {
                case 0 -> GpuRequest.none();
                case 1 -> GpuRequest.exclusive(1 + random.nextInt(3));
                case 2 -> GpuRequest.percent(10 * (1 + random.nextInt(10)));
                case 3 -> GpuRequest.share(100 * random.nextInt(11), GpuMemory.mib(1_000L * random.nextInt(20)));
                case 4 -> GpuRequest.percent(30).withCount(2);
                default -> GpuRequest.partition(PROFILES.get(random.nextInt(PROFILES.size())), 1 + random.nextInt(2));
            };
        }
    }

    @Property(tries = 400)
    void podsOfEveryKind_neverTakeMoreThanTheirBound(@ForAll long seed) {
        assertBounded(new World(seed, false, true));
    }

    @Property(tries = 400)
    void podsWithPartitions_neverTakeMoreThanTheirBound(@ForAll long seed) {
        assertBounded(new World(seed, true, true));
    }

    @Property(tries = 400)
    void podsOnGpusOfUnequalCompute_neverTakeMoreThanTheirBound(@ForAll long seed) {
        assertBounded(new World(seed, false, false));
    }

    private static void assertBounded(World world) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster empty = world.cluster();
        List<Pod> asked = new ArrayList<>();
        Cluster cluster = empty;
        for (int i = world.random.nextInt(12); i >= 0; i--) {
            Pod pod = world.pod(i);
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
