package io.gpusched.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is placed never takes more than the bound for all that was asked, whatever pods ask. */
class UpperBoundProperties {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4", 15_360);

    @Property(tries = 400)
    void podsOfEveryKind_neverTakeMoreThanTheirBound(@ForAll long seed) {
        assertBounded(seed, false);
    }

    @Property(tries = 400)
    void podsOnGpusOfUnequalCompute_neverTakeMoreThanTheirBound(@ForAll long seed) {
        assertBounded(seed, true);
    }

    private static void assertBounded(long seed, boolean isUnequal) {
        Random random = new Random(seed);
        Cluster empty = cluster(random, isUnequal);
        GpuScheduler scheduler = GpuScheduler.create();
        List<Pod> asked = new ArrayList<>();
        Cluster cluster = empty;
        for (int i = random.nextInt(12); i >= 0; i--) {
            Pod pod = pod("p" + i, random);
            asked.add(pod);
            cluster = scheduler.schedule(cluster, pod) instanceof Placed placed
                    ? cluster.with(placed.placement())
                    : cluster;
        }
        assertThat((double) cluster.totals().usedGpuComputeMillis())
                .as("%s on %s", asked, empty.nodes())
                .isLessThanOrEqualTo(UpperBound.of(empty, asked).gpuMillis() + 0.001);
    }

    /** One to four nodes of up to three GPUs, of which some can be cut. */
    private static Cluster cluster(Random random, boolean isUnequal) {
        List<Node> nodes = new ArrayList<>();
        for (int n = random.nextInt(4); n >= 0; n--) {
            Node.Builder node = Node.builder("n" + n)
                    .capacity(2_000 + 1_000L * random.nextInt(6), 1_000 + 500L * random.nextInt(6));
            int gpus = random.nextInt(4);
            for (int g = 0; g < gpus; g++) {
                Gpu gpu = Gpu.of(g, "n" + n + "-" + g, random.nextBoolean() ? A100 : T4);
                gpu = isUnequal ? gpu.withComputeMillis(500 * (1 + random.nextInt(4))) : gpu;
                node.gpu(random.nextInt(3) > 0 ? gpu : gpu.withPartitions(MigGeometry.A100_40GB.geometry()));
            }
            nodes.add(node.build());
        }
        return Cluster.of(nodes);
    }

    private static Pod pod(String name, Random random) {
        Resources few = Resources.of(500L * random.nextInt(4), 250L * random.nextInt(3));
        Pod.Builder pod = Pod.builder(name);
        if (random.nextInt(7) == 0) {
            return pod.container("main", few, GpuRequest.wholeNode()).build();
        }
        if (random.nextInt(4) == 0) {
            pod.container(Container.init("init", few, request(random)));
        }
        if (random.nextInt(3) == 0) {
            pod.container("side", few, request(random));
        }
        return pod.container("main", few, request(random)).build();
    }

    private static GpuRequest request(Random random) {
        GpuRequest one = simple(random);
        GpuRequest other = random.nextInt(4) == 0 ? simple(random) : one;
        return one.isNone() || other.isNone() || one.equals(other) ? one : GpuRequest.firstOf(one, other);
    }

    private static GpuRequest simple(Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> GpuRequest.none();
            case 1 -> GpuRequest.exclusive(1 + random.nextInt(2));
            case 2 -> GpuRequest.exclusive(1, GpuSelector.models("T4"));
            case 3 -> GpuRequest.share(300, GpuMemory.mib(10)).withCount(2);
            case 4 -> GpuRequest.partition(random.nextBoolean() ? "1g.5gb" : "3g.20gb", 1 + random.nextInt(2));
            default -> GpuRequest.percent(10 * (1 + random.nextInt(9)));
        };
    }
}
