package io.gpusched.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.RackWorld;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Which nodes the index hands over to a search that looks at them one by one. */
class RoomQueriesProperties {
    private static boolean passes(ClassIndex nodes, CapacityQuery query, NodeState node) {
        return nodes.first(query, NodeRange.of(node), any -> true) != null;
    }

    private static boolean passesAny(ClassIndex nodes, PodDemand demand, NodeState node) {
        return RoomQueries.anyOf(demand, nodes.nodeClass()).stream().anyMatch(query -> passes(nodes, query, node));
    }

    @Property(tries = 300)
    void aNodeWithRoom_isPassedByByNoneOfThem(@ForAll long seed) {
        RackWorld world = new RackWorld(seed);
        Cluster cluster = world.cluster();
        List<ClassIndex> classes = ClusterIndex.of(cluster).classes();
        for (Pod pod : world.group("g").pods()) {
            PodDemand demand = new PodDemand(pod);
            for (ClassIndex nodes : classes) {
                nodes.first(CapacityQuery.of(Resources.NONE), NodeRange.EVERYWHERE, node -> {
                    if (PolicyLayouts.best(demand, node, FirstFit.of()) != null) {
                        assertThat(passes(nodes, RoomQueries.of(demand), node)).isTrue();
                        assertThat(passesAny(nodes, demand, node)).isTrue();
                    }
                    return false;
                });
            }
        }
    }

    /** A hundred nodes that have CPU and memory left, and of each of their two GPUs 30 percent. */
    private static Cluster nearlyFull() {
        Cluster cluster = Cluster.of(IntStream.range(0, 100)
                .mapToObj(n -> Node.builder("n%02d".formatted(n))
                        .capacity(64_000, 64_000)
                        .gpus(2, Nodes.BIG)
                        .build())
                .toList());
        GpuScheduler scheduler = GpuScheduler.of(FirstFit.of());
        for (int i = 0; i < 200; i++) {
            Pod running = Pod.of("running-" + i, Resources.of(1, 1), GpuRequest.percent(70));
            cluster = cluster.with(scheduler.place(cluster.node(i / 2), running).orElseThrow());
        }
        return cluster;
    }

    private static int handedOver(GpuRequest request) {
        ClassIndex nodes = ClusterIndex.of(nearlyFull()).classes().get(0);
        PodDemand demand = new PodDemand(Pod.of("p", Resources.of(1, 1), request));
        int[] count = new int[1];
        for (CapacityQuery query : RoomQueries.anyOf(demand, nodes.nodeClass())) {
            nodes.first(query, NodeRange.EVERYWHERE, node -> {
                count[0]++;
                return false;
            });
        }
        return count[0];
    }

    @Test
    void aShareOfMemory_isFoundOnANodeOfARareClass_whoseMemoryIsRoughThere() {
        List<Node> nodes = new ArrayList<>();
        for (int n = 0; n < 80; n++) { // forty classes of two nodes each, so that the next one is rare
            nodes.add(Node.builder("n%02d".formatted(n))
                    .capacity(1_000L << n / 2 % 20, 1_000L << n / 40)
                    .build());
        }
        nodes.add(Node.builder("rare")
                .capacity(64_000, 64_000)
                .gpus(1, GpuModel.of("nvidia", "L4", 23_034))
                .build());
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.of(FirstFit.of());
        Pod running = Pod.of("running", Resources.of(1, 1), GpuRequest.share(900, GpuMemory.mib(23_034 - 5_758)));
        Cluster used = cluster.with(
                scheduler.place(cluster.node("rare").orElseThrow(), running).orElseThrow());
        Pod pod = Pod.of("p", Resources.of(1, 1), GpuRequest.share(0, GpuMemory.percent(25)));
        assertThat(scheduler.schedule(used, pod).isPlaced()).isTrue();
    }

    @Test
    void nodesWithoutRoomOnTheirGpus_arePassedBy() {
        assertThat(handedOver(GpuRequest.none())).isEqualTo(100);
        assertThat(handedOver(GpuRequest.percent(30))).isEqualTo(100);
        assertThat(handedOver(GpuRequest.share(0, GpuMemory.percent(30)))).isEqualTo(100);
        assertThat(handedOver(GpuRequest.percent(31))).isZero();
        assertThat(handedOver(GpuRequest.share(0, GpuMemory.percent(32)))).isZero();
        assertThat(handedOver(GpuRequest.exclusive(1))).isZero();
    }
}
