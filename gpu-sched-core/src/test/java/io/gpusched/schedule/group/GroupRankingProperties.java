package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RackWorld;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.PodGroup;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A group that must stay close goes where it would if every member were compared with every node anew. */
class GroupRankingProperties {
    private static final List<PlacementPolicy> POLICIES = TestPolicies.allAndRandom();
    private static final List<Long> ENTRIES = List.of(1L, 100L, GpuScheduler.DEFAULT_MEMORY);

    private static <T> T pick(List<T> from, long seed) {
        return from.get((int) Math.floorMod(seed, (long) from.size()));
    }

    @Property(tries = 500)
    void membersOfManyShapes_goWhereAComparisonOfAllNodesWouldPutThem(@ForAll long seed) {
        RackWorld world = new RackWorld(seed);
        PlacementPolicy policy = pick(POLICIES, seed);
        GpuScheduler ranking = GpuScheduler.builder()
                .policy(policy)
                .memory(pick(ENTRIES, seed / 31))
                .build();
        GpuScheduler comparing = GpuScheduler.builder().policy(policy).memory(0).build();
        Cluster cluster = world.cluster();
        for (int turn = 0; turn < 3; turn++) {
            PodGroup group = world.group("g" + turn);
            GroupDecision expected = comparing.schedule(cluster, group);
            assertSame(ranking.schedule(cluster, group), expected);
            cluster = expected instanceof GroupPlaced placed ? cluster.withAll(placed.placements()) : cluster;
        }
    }

    private static void assertSame(GroupDecision actual, GroupDecision expected) {
        if (expected instanceof GroupPlaced placed) {
            assertThat(actual).isInstanceOfSatisfying(GroupPlaced.class, same -> {
                assertThat(same.placements()).isEqualTo(placed.placements());
                assertThat(same.waiting()).isEqualTo(placed.waiting());
            });
        } else {
            assertThat(actual)
                    .isInstanceOfSatisfying(
                            Unschedulable.class,
                            no -> assertThat(no.certainty()).isEqualTo(((Unschedulable) expected).certainty()));
        }
    }
}
