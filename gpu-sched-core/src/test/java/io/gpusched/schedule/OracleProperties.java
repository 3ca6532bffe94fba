package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.Pod;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every decision against all legal placements there are. */
class OracleProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(4);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<Pod> pods() {
        return Pods.pods();
    }

    @Provide
    Arbitrary<Pod> plain() {
        return Pods.plain();
    }

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(TestPolicies.all());
    }

    @Property(tries = 1500)
    void aPlaceIsFoundExactlyWhenOneExistsAndNoneScoresHigher(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("pods") Pod shape,
            @ForAll("policies") PlacementPolicy policy) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        checkAgainstAll(history, history.named(shape), policy);
    }

    @Property(tries = 1500)
    void binPackFindsTheBestPlaceOfPlainPodsThroughTheTree(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("plain") Pod shape) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        checkAgainstAll(history, history.named(shape), BinPack.of());
    }

    private static List<Placement> preferred(ClusterHistory history, Pod pod) {
        return Oracle.preferred(history.cluster(), Oracle.placements(history.model(), pod), pod);
    }

    private static void checkAgainstAll(ClusterHistory history, Pod pod, PlacementPolicy policy) {
        List<Placement> legal = preferred(history, pod);
        Decision decision = GpuScheduler.of(policy).schedule(history.cluster(), pod);
        if (legal.isEmpty()) {
            assertThat(decision).isRefused();
            return;
        }
        Placement chosen = assertThat(decision).placement();
        assertThat(chosen).isIn(legal);
        Cluster seen = history.cluster();
        long best = Oracle.bestScore(policy, seen, legal, pod).orElseThrow();
        assertThat(Oracle.score(policy, seen, chosen, pod)).isEqualTo(best);
        List<Placement> ties = legal.stream()
                .filter(placement -> Oracle.score(policy, seen, placement, pod) == best)
                .toList();
        assertThat(chosen.node()).isEqualTo(ties.get(0).node());
        if (pod.containers().size() == 1) {
            assertThat(chosen).isEqualTo(ties.get(0));
        }
    }

    @Property(tries = 1000)
    void firstFitTakesTheFirstNodeAndThereTheLowestIndexes(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("plain") Pod shape) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        Pod pod = history.named(shape);
        List<Placement> legal = preferred(history, pod);
        for (long entries : new long[] {0, 1_000}) {
            Decision decision = GpuScheduler.builder()
                    .policy(FirstFit.of())
                    .memory(entries)
                    .build()
                    .schedule(history.cluster(), pod);
            if (legal.isEmpty()) {
                assertThat(decision).isRefused();
            } else {
                assertThat(assertThat(decision).placement()).isEqualTo(legal.get(0));
            }
        }
    }

    @Property(tries = 500)
    void placeOnOneNodeFindsWhatTheOracleFindsThere(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("pods") Pod shape) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        Pod pod = history.named(shape);
        GpuScheduler scheduler = GpuScheduler.create();
        List<Placement> legal = Oracle.placements(history.model(), pod);
        history.cluster().nodes().forEach(node -> {
            List<Placement> here = legal.stream()
                    .filter(placement -> placement.node().equals(node.node().name()))
                    .toList();
            var found = scheduler.place(node, pod);
            assertThat(found.isPresent()).isEqualTo(!here.isEmpty());
            found.ifPresent(placement -> assertThat(Oracle.score(BinPack.of(), history.cluster(), placement, pod))
                    .isEqualTo(Oracle.bestScore(BinPack.of(), history.cluster(), here, pod)
                            .orElseThrow()));
        });
    }
}
