package io.gpusched.schedule.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods of several containers, and groups, on two GPUs of two NUMA nodes, held in all ways, against every way there is to place them. */
class NearPartitionsTest {
    private static final GpuModel A30 = GpuModel.of("nvidia", "A30", 24_576);
    private static final GpuSelector NEAR =
            GpuSelector.ANY.withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE));
    private static final GpuRequest ONE = GpuRequest.partition("1g.6gb", 1);
    private static final GpuRequest HALF = GpuRequest.partition("2g.12gb", 1);
    private static final GpuRequest TWO_NEAR = GpuRequest.partition("1g.6gb", 2).withSelector(NEAR);

    private static final List<List<GpuRequest>> PODS = List.of(
            List.of(ONE, TWO_NEAR),
            List.of(TWO_NEAR, ONE),
            List.of(ONE, ONE, TWO_NEAR),
            List.of(HALF, TWO_NEAR),
            List.of(TWO_NEAR, TWO_NEAR),
            List.of(ONE, TWO_NEAR, TWO_NEAR));

    /** A node on which these units of its two GPUs are held, one for each bit. */
    private static NodeState node(int held) {
        return cluster(held).node(0);
    }

    private static Cluster cluster(int held) {
        Node.Builder node = Node.builder("n").capacity(4_000, 8_192);
        List<Placement> running = new ArrayList<>();
        for (int g = 0; g < 2; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, A30)
                    .withPartitions(MigGeometry.A30_24GB.geometry())
                    .withNumaNode(g));
            for (int unit = 0; unit < 4; unit++) {
                if ((held >>> (4 * g + unit) & 1) != 0) {
                    GpuPartition partition = new GpuPartition(g, "1g.6gb", unit, "");
                    running.add(new Placement(
                            PodId.of("held-" + g + "-" + unit),
                            "n",
                            Resources.NONE,
                            List.of(ContainerGrant.of("c", new GpuGrant.Partitions(List.of(partition))))));
                }
            }
        }
        return Cluster.of(List.of(node.build()), running);
    }

    private static Pod pod(List<GpuRequest> requests, ContainerKind kind) {
        Pod.Builder pod = Pod.builder("asked");
        for (int c = 0; c < requests.size(); c++) {
            // all but the first are of the kind
            ContainerKind of = c == 0 ? ContainerKind.ORDINARY : kind;
            pod.container(new Container("c" + c, of, Resources.NONE, requests.get(c)));
        }
        return pod.build();
    }

    @ParameterizedTest
    @EnumSource(ContainerKind.class)
    void theyArePlaced_exactlyIfAnyWayFits(ContainerKind kind) {
        GpuScheduler scheduler = GpuScheduler.of(FirstFit.of());
        for (int held = 0; held < 256; held++) {
            NodeState node = node(held);
            for (List<GpuRequest> requests : PODS) {
                Pod pod = pod(requests, kind);
                assertThat(scheduler.place(node, pod).isPresent())
                        .as("%s on %s", pod, node)
                        .isEqualTo(BruteForce.fits(pod, node));
            }
        }
    }

    @Test
    void groupsStart_exactlyIfTheirMembersFitTogether() {
        GpuScheduler scheduler = GpuScheduler.of(FirstFit.of());
        List<List<GpuRequest>> groups =
                List.of(List.of(HALF, ONE, ONE), List.of(ONE, HALF, TWO_NEAR), List.of(HALF, HALF, ONE, ONE));
        for (int held = 0; held < 256; held++) {
            Cluster cluster = cluster(held);
            for (List<GpuRequest> requests : groups) {
                List<Pod> members = new ArrayList<>();
                for (GpuRequest request : requests) {
                    members.add(Pod.of("member-" + members.size(), Resources.NONE, request));
                }
                // without CPU and memory a group on one node fits as a pod does that asks for all at once
                assertThat(scheduler.schedule(cluster, PodGroup.of("g", members)) instanceof GroupPlaced)
                        .as("%s on %s", requests, cluster.node(0))
                        .isEqualTo(BruteForce.fits(pod(requests, ContainerKind.ORDINARY), cluster.node(0)));
            }
        }
    }

    /** Names the first unit of each of two GPUs, whatever is asked. */
    private record OnBoth() implements PlacementPolicy, DeviceOrder {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public Optional<DeviceOrder> deviceOrder() {
            return Optional.of(this);
        }

        @Override
        public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
            return new int[] {0, 1};
        }

        @Override
        public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
            return List.of(new GpuPartition(0, "1g.6gb", 0, ""), new GpuPartition(1, "1g.6gb", 0, ""));
        }
    }

    @Test
    void whatAPolicyNames_isTakenWhereItIsAsNearAsAsked() {
        GpuScheduler scheduler = GpuScheduler.of(new OnBoth());
        GpuRequest anywhere = GpuRequest.partition("1g.6gb", 2);

        Placement free = scheduler
                .place(node(0), pod(List.of(anywhere), ContainerKind.ORDINARY))
                .orElseThrow();
        Placement near = scheduler
                .place(node(0), pod(List.of(TWO_NEAR), ContainerKind.ORDINARY))
                .orElseThrow();

        assertThat(free.gpus()).containsExactly(0, 1);
        assertThat(near.gpus()).hasSize(1);
    }
}
