package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.CountingPolicy;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How often a policy is asked while a group is placed that must stay in one rack. */
class GroupRankingTest {
    private static final int NODES = 400;
    private static final int MEMBERS = 300;

    private static Cluster rack(boolean areCut) {
        List<Node> nodes = new ArrayList<>();
        for (int n = 0; n < NODES; n++) {
            Node.Builder node =
                    Node.builder("n%03d".formatted(n)).capacity(8_000, 8_000).topology(Topology.of("rack", "r"));
            nodes.add(
                    areCut
                            ? node.gpu(Gpu.of(0, "gpu-" + n, GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960))
                                            .withPartitions(MigGeometry.A100_40GB.geometry()))
                                    .build()
                            : node.gpus(1, Nodes.BIG).build());
        }
        return Cluster.of(nodes);
    }

    private static PodGroup group(int members, IntFunction<Pod> pod) {
        List<Pod> pods = IntStream.range(0, members).mapToObj(pod).toList();
        return PodGroup.of("group", pods).withLocality(Locality.within("rack"));
    }

    private static int calls(CountingPolicy policy, Cluster cluster, PodGroup group) {
        policy.reset();
        assertThat(GpuScheduler.of(policy).schedule(cluster, group)).isInstanceOf(GroupPlaced.class);
        return policy.calls();
    }

    private static Pod gpu(int number) {
        return Pod.of("p" + number, Resources.of(100, 100), GpuRequest.exclusive(1));
    }

    @Test
    void membersOfOneSpec_rankAllNodesOnce() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.NODE);
        int calls = calls(policy, rack(false), group(MEMBERS, GroupRankingTest::gpu));
        // after that a member has its own node scored, and no other
        assertThat(calls).isBetween(NODES, NODES + 3 * MEMBERS);
    }

    @Test
    void nodesInOneState_areRankedTogether() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.OCCUPANCY);
        int calls = calls(policy, rack(false), group(MEMBERS, GroupRankingTest::gpu));
        assertThat(calls).isBetween(MEMBERS, 3 * MEMBERS);
    }

    @Test
    void membersThatKeepEachOtherOffTheirNodes_shareTheRankingToo() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.OCCUPANCY);
        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        int calls = calls(policy, rack(false), group(MEMBERS, i -> gpu(i).withRules(port)));
        assertThat(calls).isBetween(MEMBERS, 3 * MEMBERS);
    }

    @Test
    void membersOfManyShapes_haveEachNodeScoredOnceForEachShape_andThoseThatChangedAgain() {
        int shapes = 20;
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.NODE);
        int calls = calls(
                policy,
                rack(false),
                group(
                        MEMBERS,
                        i -> Pod.of("p" + i, Resources.of(100 + i % shapes, 100), GpuRequest.percent(i % shapes + 1))));
        assertThat(calls).isBetween(shapes * NODES, (shapes + 1) * NODES + (shapes + 3) * MEMBERS);
    }

    @Test
    void membersThatAskForPartitions_rankStatesOfNodes() {
        Pod one = Pod.of("one", Resources.of(100, 100), GpuRequest.partition("1g.5gb", 1));
        CountingPolicy alone = new CountingPolicy(PlacementPolicy.Scope.NODE);
        GpuScheduler.of(alone).schedule(rack(true), one);
        int each = alone.calls() / NODES; // ways to cut a GPU
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.OCCUPANCY);
        int calls = calls(
                policy,
                rack(true),
                group(MEMBERS, i -> Pod.of("p" + i, Resources.of(10, 10), GpuRequest.partition("1g.5gb", 1))));
        assertThat(each).isPositive();
        assertThat(calls).isLessThan(each * NODES / 4 + 20 * MEMBERS);
    }

    @Test
    void aDecision_leavesNothingOfARackToTheNextOne() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.NODE);
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = rack(false);
        PodGroup group = group(MEMBERS, GroupRankingTest::gpu);
        scheduler.schedule(cluster, group);
        int first = policy.calls();
        scheduler.schedule(cluster, group);
        assertThat(policy.calls()).isEqualTo(2 * first);
    }

    @Test
    void theDiagnosisOfARefusal_ranksNodesToo() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.OCCUPANCY);
        PodGroup group = PodGroup.of(
                "group",
                IntStream.range(0, MEMBERS).mapToObj(GroupRankingTest::gpu).toList());
        Unschedulable refused = (Unschedulable) GpuScheduler.of(policy).schedule(freeOn(10), group);
        policy.reset();
        assertThat(refused.diagnosis().remedy().changes()).isNotEmpty();
        assertThat(policy.calls()).isBetween(10, NODES + MEMBERS);
    }

    /** The rack with room on its first nodes alone. */
    private static Cluster freeOn(int nodes) {
        Cluster full = rack(false);
        for (int n = nodes; n < NODES; n++) {
            Pod running = Pod.of("running" + n, Resources.of(8_000, 8_000), GpuRequest.exclusive(1));
            full = full.with(GpuScheduler.create()
                    .place(full.node("n%03d".formatted(n)).orElseThrow(), running)
                    .orElseThrow());
        }
        return full;
    }

    @Test
    void membersOfAFullRack_areNotRanked() {
        CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.NODE);
        int calls = calls(policy, freeOn(3), group(3, GroupRankingTest::gpu));
        assertThat(calls).isEqualTo(3 + 2 + 1);
    }
}
