package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.ClusterModel;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.Pods;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Where there are more kinds of nodes than trees, decisions are as good as elsewhere. */
class UnlikeNodesProperties {
    @Provide
    Arbitrary<List<Pod>> pods() {
        return Pods.pods().list().ofSize(6);
    }

    private static List<Node> nodes(Random random, int count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GpuModel model = GpuModel.of("nvidia", random.nextBoolean() ? "T4" : "A100", 333);
            Node.Builder node = Node.builder("n%04d".formatted(i))
                    .capacity(1_000 + random.nextInt(9_000), 1_000 + random.nextInt(9_000))
                    .mode(NodeMode.values()[random.nextInt(3)])
                    .maxPods(1 + random.nextInt(5));
            for (int gpu = 0; gpu < random.nextInt(4); gpu++) {
                node.gpu(Gpu.of(gpu, "g" + i + "-" + gpu, model)
                        .withMemoryMib(100 + random.nextInt(900))
                        .withHealthy(random.nextInt(9) > 0));
            }
            nodes.add(node.build());
        }
        return nodes;
    }

    @Property(tries = 60)
    void noPlacementScoresHigherThanTheOneChosen(
            @ForAll Random random, @ForAll("pods") List<Pod> pods, @ForAll boolean spread) {
        PlacementPolicy policy = spread ? Spread.of() : BinPack.of();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = Cluster.of(nodes(random, 70));
        cluster.validate();
        int number = 0;
        for (Pod shape : pods) {
            Pod pod = shape.withId(PodId.of("p" + number++));
            List<Placement> legal = Oracle.placements(ClusterModel.of(cluster), pod);
            Decision decision = scheduler.schedule(cluster, pod);
            if (legal.isEmpty()) {
                assertThat(decision).isNotInstanceOf(Placed.class);
                continue;
            }
            Cluster now = cluster;
            long best = legal.stream()
                    .mapToLong(placement -> Oracle.score(policy, now, placement, pod))
                    .max()
                    .orElseThrow();
            Placement chosen = ((Placed) decision).placement();
            assertThat(Oracle.score(policy, cluster, chosen, pod)).isEqualTo(best);
            cluster = cluster.with(chosen);
        }
        cluster.validate();
    }
}
