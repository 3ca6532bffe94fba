package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a scheduler remembers is bounded by the scores that it may remember, not by shapes times classes of nodes. */
class SchedulerMemoryTest {
    private static final int SHAPES = 1_000;
    private static final int NODES = 1_000;
    private static final long MOST_BYTES = 24L << 20;

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void shapesOnUnlikeNodes_takeLittleBesideTheirScores() {
        Cluster cluster = Cluster.of(IntStream.range(0, NODES)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(64_000, 64_000)
                        .maxPods(1_000 + i)
                        .gpus(1, Nodes.BIG)
                        .build())
                .toList());
        GpuScheduler scheduler =
                GpuScheduler.builder().policy(Spread.of()).memory(10_000).build();
        scheduler.schedule(cluster, Pod.of("first", Resources.of(1, 1), GpuRequest.exclusive(1)));

        long before = usedBytes();
        for (int i = 0; i < SHAPES; i++) {
            Pod pod = Pod.of("pod", Resources.of(2 + i, 1), GpuRequest.exclusive(1));
            assertThat(scheduler.schedule(cluster, pod).isPlaced()).isTrue();
        }

        assertThat(usedBytes() - before).isLessThan(MOST_BYTES);
        assertThat(scheduler.policy()).isEqualTo(Spread.of());
    }
}
