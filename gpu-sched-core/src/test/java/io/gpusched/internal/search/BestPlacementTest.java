package io.gpusched.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class BestPlacementTest {
    private static final Pod POD = Machines.pod(GpuRequest.exclusive(1));
    private static final NodeState NODE = Machines.cluster(1).node(0);
    private static final Placement PLACE =
            GpuScheduler.create().place(NODE, POD).orElseThrow();

    private record Found(Placement placement, NodeState after, long score) implements LayoutSearch.Found {
        static Found of(long score) {
            return new Found(PLACE.withSpec(POD.spec()), NODE.with(PLACE), score);
        }
    }

    /** Takes 100 from the score of whatever it is asked about. */
    private static final class Strict implements ClusterAwarePolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public Object penaltyKey(NodeState before, NodeState after) {
            return "any";
        }

        @Override
        public Statistics statistics() {
            return new Statistics() {
                @Override
                public void add(NodeState node) {}

                @Override
                public void remove(NodeState node) {}

                @Override
                public ToLongFunction<Object> penalties(Pod pod) {
                    return key -> 100;
                }
            };
        }
    }

    private static BestPlacement by(PlacementPolicy policy) {
        return new BestPlacement(StatisticsTracker.of(policy, SnapshotIndex.create()), POD);
    }

    private final BestPlacement best = by(FirstFit.of());

    @Test
    void offer_ofAHigherScore_isTakenAndOfALowerOneIsNot() {
        Found first = Found.of(5);
        Found higher = Found.of(6);

        assertThat(best.placement()).isNull();
        assertThat(best.offer(3, NODE, first)).isTrue();
        assertThat(best.offer(1, NODE, Found.of(4))).isFalse();
        assertThat(best.placement()).isSameAs(first.placement());
        assertThat(best.offer(9, NODE, higher)).isTrue();
        assertThat(best.placement()).isSameAs(higher.placement());
    }

    @Test
    void offer_ofTheSameScore_isTakenOfTheNodeThatComesFirst() {
        Found late = Found.of(5);
        Found early = Found.of(5);

        best.offer(7, NODE, late);

        assertThat(best.offer(8, NODE, Found.of(5))).isFalse();
        assertThat(best.placement()).isSameAs(late.placement());
        assertThat(best.offer(6, NODE, early)).isTrue();
        assertThat(best.placement()).isSameAs(early.placement());
    }

    @Test
    void toBeat_whereNothingWasOffered_isAnyScore() {
        assertThat(best.toBeat(0)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void toBeat_onAnEarlierNode_isMetByTheSameScoreAndOnALaterOneByAHigherOne() {
        best.offer(7, NODE, Found.of(5));

        assertThat(best.toBeat(6)).isEqualTo(4);
        assertThat(best.toBeat(7)).isEqualTo(5);
        assertThat(best.toBeat(8)).isEqualTo(5);
    }

    @Test
    void toBeat_theLeastScoreThereIs_staysTheLeast() {
        best.offer(7, NODE, Found.of(Long.MIN_VALUE));

        assertThat(best.toBeat(6)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void toBeat_wherePenaltiesMayFollow_isAnyScore() {
        BestPlacement aware = by(new Strict());

        aware.offer(7, NODE, Found.of(5));

        assertThat(aware.toBeat(6)).isEqualTo(Long.MIN_VALUE);
    }
}
