package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each analysis ends with its budget of steps, says so, and is of use by then. */
class AnalysisBudgetTest {
    private static final SearchBudget ONE = SearchBudget.ofSteps(1);

    private static Cluster halfFull(int nodes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        GpuScheduler scheduler = GpuScheduler.create();
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(Node.builder("n%04d".formatted(i))
                    .capacity(64_000, 64_000)
                    .gpus(8, Nodes.BIG)
                    .topology(Topology.of("rack", "r" + i / 8))
                    .build());
        }
        Cluster cluster = Cluster.of(all);
        List<Placement> running = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            int first = 1 + random.nextInt(3);
            NodeState now = node;
            for (int gpus : new int[] {first, 1 + random.nextInt(5 - first)}) {
                Pod pod = pod(node.name() + "-" + now.podCount(), gpus);
                Placement placement = scheduler.place(now, pod).orElseThrow();
                now = now.with(placement);
                running.add(placement);
            }
        }
        return cluster.withAll(running);
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(4_000L * gpus, 1_000), GpuRequest.exclusive(gpus));
    }

    private static List<String> names(Cluster cluster) {
        return cluster.nodes().stream().map(NodeState::name).toList();
    }

    private static void assertRemovable(Cluster before, ScaleDown found) {
        assertThat(found.after().size()).isEqualTo(before.size() - found.nodes().size());
        assertThat(found.after().placements()).hasSameSizeAs(before.placements());
    }

    @Test
    void scaleDown_of2000HalfFullNodes_hasAUsefulSetAfterAFewSteps_andMoreWithMore() {
        Cluster cluster = halfFull(2_000, 1);
        GpuScheduler scheduler =
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build();

        ScaleDown first = ScaleDown.of(cluster, names(cluster), scheduler, SearchBudget.ofSteps(100_000));

        assertThat(first.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(first.nodes()).hasSizeGreaterThan(30);
        assertRemovable(cluster, first);
        ScaleDown more = first.resume(scheduler, SearchBudget.ofSteps(10_000_000));
        assertThat(more.nodes())
                .hasSizeGreaterThan(700)
                .startsWith(first.nodes().toArray(String[]::new));
        assertRemovable(cluster, more);
        assertThat(more.toString()).endsWith(more.extent() == Extent.COMPLETE ? "moves" : "(the best found)");
    }

    @Test
    void scaleDown_resumedInSmallSteps_comesToTheSame() {
        for (long seed = 0; seed < 5; seed++) {
            Cluster cluster = halfFull(12, seed);
            GpuScheduler scheduler = GpuScheduler.create();
            ScaleDown whole = ScaleDown.of(cluster, names(cluster), scheduler);
            ScaleDown step = ScaleDown.of(cluster, names(cluster), scheduler, ONE);
            for (int i = 0; step.extent() == Extent.BUDGET_ENDED && i < 100; i++) {
                step = step.resume(scheduler, ONE);
            }
            assertThat(whole.extent()).isEqualTo(Extent.COMPLETE);
            assertThat(step.nodes()).isEqualTo(whole.nodes());
            assertThat(step.certainty()).isEqualTo(whole.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(step.after().placements())
                    .containsExactlyInAnyOrderElementsOf(whole.after().placements());
            assertThat(step.resume(scheduler, ONE)).isSameAs(step);
        }
    }

    @Test
    void headroomOfGroups_isExactlyNoneWhereTheRefusalIsProven() {
        Cluster cluster = halfFull(8, 3);
        SearchBudget much = SearchBudget.ofSteps(100_000_000);
        PodGroup none = PodGroup.of("g", List.of(pod("a", 8), pod("b", 1)));
        assertThat(Headroom.of(cluster, none, much)).isEqualTo(new Headroom.Groups(0, true, Extent.COMPLETE));

        PodGroup two = PodGroup.of("g", List.of(pod("a", 1), pod("b", 1))).withLocality(Locality.within("rack"));
        Headroom.Groups groups = Headroom.of(cluster, two, much);
        assertThat(groups.groups()).isEqualTo(cluster.totals().idleGpus() / 2);
        assertThat(groups.extent()).isEqualTo(Extent.COMPLETE);
        assertThat(Headroom.of(cluster, two, ONE)).isEqualTo(new Headroom.Groups(1, false, Extent.BUDGET_ENDED));
    }

    @Test
    void headroomAndFragmentation_sayWhenTheBudgetEnded() {
        Cluster cluster = halfFull(64, 4);
        Headroom all = Headroom.of(cluster, pod("p", 1));
        Headroom some = Headroom.of(cluster, pod("p", 1), SearchBudget.ofSteps(30));
        assertThat(all.extent()).isEqualTo(Extent.COMPLETE);
        assertThat(all.exact()).isTrue();
        assertThat(some.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(some.exact()).isFalse();
        assertThat(some.pods()).isPositive().isLessThan(all.pods());

        WorkloadProfile profile = WorkloadProfile.of(List.of(pod("p", 4)));
        assertThat(Fragmentation.of(cluster, profile).extent()).isEqualTo(Extent.COMPLETE);
        Fragmentation part = Fragmentation.of(cluster, profile, ONE);
        assertThat(part.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(part.idleMillis()).isEqualTo(cluster.node(0).freeComputeMillis());
    }

    @Test
    void drain_saysWhenItDidNotAskForEachPod() {
        Cluster cluster = halfFull(8, 5);
        GpuScheduler scheduler = GpuScheduler.create();
        Drain all = Drain.of(cluster, names(cluster), scheduler);
        Drain some = Drain.of(cluster, names(cluster), scheduler, ONE);

        assertThat(all.extent()).isEqualTo(Extent.COMPLETE);
        assertThat(all.obstacles()).hasSize(cluster.placements().size());
        assertThat(some.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(some.isPossible()).isFalse();
        assertThat(some.obstacles()).singleElement().satisfies(obstacle -> {
            assertThat(obstacle.pods()).hasSize(cluster.placements().size());
            assertThat(obstacle.refusal().orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
        });
        assertThat(some.toString()).endsWith("and there may be more");
        assertThat(Drain.of(cluster, List.of("n0000"), scheduler, ONE))
                .isEqualTo(Drain.of(cluster, List.of("n0000"), scheduler));
    }

    @Test
    void whyNoMore_countsNodesThatItDidNotFillUnderTheLimit() {
        Cluster cluster = halfFull(32, 6);
        Diagnosis whole = Headroom.whyNoMore(cluster, pod("p", 1));
        Diagnosis part = Headroom.whyNoMore(cluster, pod("p", 1), SearchBudget.ofSteps(20_000));

        assertThat(whole.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(whole.reasons()).extracting(Reason::code).doesNotContain(Reason.Code.SEARCH_LIMIT);
        assertThat(part.certainty()).isEqualTo(Certainty.LIMIT);
        assertThat(part.couldFitLater()).isTrue();
        assertThat(part.nodes()).isEqualTo(32);
        assertThat(part.reasons()).extracting(Reason::code).contains(Reason.Code.SEARCH_LIMIT, Reason.Code.IDLE_GPUS);
        assertThat(Headroom.whyNoMore(cluster, pod("p", 1), SearchBudget.ofSteps(10_000_000)))
                .isEqualTo(whole);
    }

    @Test
    void headroomOfPodsThatAreNotCounted_isExactlyNoneWhereThatIsProven() {
        Cluster cluster = halfFull(8, 7);
        Pod either =
                Pod.of("p", Resources.of(1, 1), GpuRequest.firstOf(GpuRequest.exclusive(8), GpuRequest.exclusive(7)));
        Headroom none = Headroom.of(cluster, either);
        assertThat(none.pods()).isZero();
        assertThat(none.exact()).isTrue();
        assertThat(Headroom.of(cluster, either, ONE).exact()).isFalse();

        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        assertThat(Headroom.of(cluster, pod("q", 8).withRules(port)))
                .isEqualTo(new Headroom(Map.of(), true, Extent.COMPLETE));
        Headroom one = Headroom.of(cluster, pod("q", 1).withRules(port));
        assertThat(one.pods()).isEqualTo(8);
        assertThat(one.exact()).isFalse();
    }
}
