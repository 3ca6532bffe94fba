package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.CrowdedNode;
import io.gpusched.testkit.NaiveLayouts;
import io.gpusched.testkit.StressCase;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Pods of up to eight containers on one node of up to eight GPUs in use, against all layouts there are. */
class LayoutProperties {
    @Property(tries = 250)
    void binPack_findsAndProvesTheBestLayout(@ForAll long seed) {
        CrowdedNode world = new CrowdedNode(seed);
        NodeState node = world.node();
        Pod pod = world.pod();
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        Decision decision = GpuScheduler.create().schedule(cluster(node), pod);

        if (expected.isEmpty()) {
            assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
        } else {
            assertThat(decision).as("%s on %s", pod, node).isInstanceOf(Placed.class);
            Placed placed = (Placed) decision;
            assertThat(BinPack.of().score(node, node.with(placed.placement()), pod))
                    .isEqualTo(expected.getAsLong());
            assertThat(placed.certainty()).isEqualTo(Certainty.PROVEN);
        }
    }

    @Property(tries = 250)
    void anyPolicy_findsALayoutExactlyWhenOneExists(@ForAll long seed) {
        CrowdedNode world = new CrowdedNode(seed);
        NodeState node = world.node();
        Pod pod = world.pod();
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        for (PlacementPolicy policy : List.of(
                FirstFit.of(), Spread.of(), new StressCase.HighestFirst(true), new StressCase.HighestFirst(false))) {
            Decision decision = GpuScheduler.of(policy).schedule(cluster(node), pod);
            assertThat(decision.isPlaced()).isEqualTo(expected.isPresent());
            if (decision instanceof Unschedulable no) {
                assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
            }
        }
    }

    @Example
    void aPodThatFitsInNoOrder_isProvenToUnderAnyOrder() {
        anyPolicy_findsALayoutExactlyWhenOneExists(-82_458);
    }

    @Property(tries = 120)
    void aTinyBudget_stillGivesLegalAnswersAndNeverAWrongProof(@ForAll long seed) {
        CrowdedNode world = new CrowdedNode(seed);
        NodeState node = world.node();
        Pod pod = world.pod();
        GpuScheduler hasty = GpuScheduler.builder()
                .budget(SearchBudget.ofSteps(1 + new Random(seed).nextInt(3_000)))
                .build();
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        Decision decision = hasty.schedule(cluster(node), pod);

        if (decision instanceof Placed placed) {
            long score = BinPack.of().score(node, node.with(placed.placement()), pod);
            assertThat(score).isLessThanOrEqualTo(expected.getAsLong());
            if (placed.certainty() == Certainty.PROVEN) {
                assertThat(score).isEqualTo(expected.getAsLong());
            }
        } else if (((Unschedulable) decision).certainty() == Certainty.PROVEN) {
            assertThat(expected).isEmpty();
        }
        assertThat(hasty.schedule(cluster(node), pod).toString()).isEqualTo(decision.toString());
    }

    private static Cluster cluster(NodeState node) {
        Cluster cluster = Cluster.of(List.of(node.node()));
        for (Placement placement : node.placements()) {
            cluster = cluster.with(placement);
        }
        return cluster;
    }
}
