package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GpuSchedulerTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);

    @Test
    void schedule_randomSequence_sameDecisionsByTreeByCacheAndByScan() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            nodes.add(Node.builder("n" + i)
                    .capacity(96_000, 400_000)
                    .gpus(i % 3 == 0 ? 4 : 8, A100)
                    .build());
        }
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler tree = GpuScheduler.of(BinPack.of());
        PlacementPolicy hidden = new PlacementPolicy() {
            @Override
            public long score(io.gpusched.model.NodeState before, io.gpusched.model.NodeState after, Pod pod) {
                return BinPack.of().score(before, after, pod);
            }

            @Override
            public Scope scope() {
                return Scope.OCCUPANCY;
            }
        };
        GpuScheduler cached = GpuScheduler.of(hidden);
        GpuScheduler scan = GpuScheduler.builder().policy(hidden).memory(0).build();
        Random random = new Random(7);
        int placed = 0;
        for (int i = 0; i < 3_000; i++) {
            GpuRequest request = switch (random.nextInt(6)) {
                case 0 -> GpuRequest.none();
                case 1 -> GpuRequest.exclusive(1 + random.nextInt(4));
                case 2 -> GpuRequest.wholeNode();
                default -> GpuRequest.percent(1 + random.nextInt(80));
            };
            Pod pod = Pod.of("p" + i, Resources.of(random.nextInt(8_000), random.nextInt(16_000)), request);
            Decision decision = tree.schedule(cluster, pod);
            assertThat(cached.schedule(cluster, pod).toString())
                    .isEqualTo(scan.schedule(cluster, pod).toString());
            assertThat(decision.toString())
                    .isEqualTo(scan.schedule(cluster, pod).toString());
            if (decision instanceof Placed p) {
                placed++;
                Cluster next = cluster.with(p.placement());
                assertThat(next.without(p.placement())).isEqualTo(cluster);
                cluster = next;
            }
            if (cluster.totals().pods() > 0 && random.nextInt(3) == 0) {
                cluster = cluster.without(cluster.placements()
                        .get(random.nextInt(cluster.totals().pods()))
                        .pod());
            }
        }
        cluster.validate();
        assertThat(placed).isGreaterThan(500);
    }
}
