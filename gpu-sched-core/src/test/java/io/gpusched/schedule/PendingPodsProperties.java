package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A change that helps a waiting pod is never missed; one that cannot is told. */
class PendingPodsProperties {
    @Property(tries = 300)
    void whoWouldBePlaced_isAmongThoseToldOf_whateverChanges(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        Cluster cluster = world.cluster(5);
        List<Pod> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.add(world.pod().withId(PodId.of("waits-" + i)));
        }
        PendingPods pending = new PendingPods();
        GpuScheduler scheduler = GpuScheduler.create();
        for (int change = 0; change < 6; change++) {
            Cluster now = cluster;
            List<Pod> placed = waiting.stream()
                    .filter(pod -> scheduler.schedule(now, pod).isPlaced())
                    .toList();

            List<Pod> told = pending.mayPlace(now, waiting);

            assertThat(told).containsAll(placed);
            assertThat(told.size())
                    .as("small worlds are decided within few steps")
                    .isEqualTo(placed.size());
            if (!cluster.placements().isEmpty() && random.nextBoolean()) {
                int leaves = random.nextInt(cluster.placements().size());
                cluster = cluster.without(cluster.placements().get(leaves));
            } else if (scheduler.schedule(cluster, world.pod().withId(PodId.of("comes-" + change)))
                    instanceof Placed one) {
                cluster = cluster.with(one.placement());
            }
        }
    }

    @Property(tries = 200)
    void aGroupThatWouldStart_isToldTo(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(5);
        PodGroup group = world.group(4);
        if (GpuScheduler.create().schedule(cluster, group).isPlaced()) {
            assertThat(new PendingPods().mayStart(cluster, group)).isTrue();
        }
    }

    @Example
    void podsThatNoChangeHelps_areLeftOut() {
        Node node = Node.builder("n").capacity(8_000, 8_000).gpus(4, Nodes.BIG).build();
        Pod busy = Pod.of("busy", Resources.of(1_000, 100), GpuRequest.exclusive(3));
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster empty = Cluster.of(List.of(node));
        Cluster full = empty.with(scheduler.schedule(empty, busy).toPlacement().orElseThrow());
        List<Pod> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waiting.add(Pod.of("w" + i, Resources.of(1_000, 100), GpuRequest.exclusive(i == 7 ? 2 : 8)));
        }
        PendingPods pending = new PendingPods();
        assertThat(pending.mayPlace(full, waiting)).isEmpty();
        assertThat(pending.mayPlace(empty, waiting)).containsExactly(waiting.get(7));
    }
}
