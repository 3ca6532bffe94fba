package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.RackWorld;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Groups of which some members go where bin-pack would put them, for want of steps. */
class GroupComparisonProperties {
    private static final List<PlacementPolicy> POLICIES = TestPolicies.allAndRandom();
    private static final List<Long> STEPS = List.of(1L, 1_000L, 5_000L, 20_000L, 100_000L);
    private static final List<Long> ENTRIES = List.of(1L, 100L, GpuScheduler.DEFAULT_MEMORY);

    private static <T> T pick(List<T> from, long seed) {
        return from.get((int) Math.floorMod(seed, (long) from.size()));
    }

    private static GpuScheduler scheduler(PlacementPolicy policy, long entries, long steps) {
        return GpuScheduler.builder()
                .policy(policy)
                .memory(entries)
                .budget(SearchBudget.ofSteps(steps))
                .build();
    }

    @Property(tries = 500)
    void whatASchedulerRemembers_changesNothingAboutWhereTheyGo(@ForAll long seed) {
        RackWorld world = new RackWorld(seed);
        PlacementPolicy policy = pick(POLICIES, seed);
        long steps = pick(STEPS, seed / 17);
        GpuScheduler remembering = scheduler(policy, pick(ENTRIES, seed / 31), steps);
        GpuScheduler forgetful = scheduler(policy, 0, steps);
        Cluster cluster = world.cluster();
        for (int turn = 0; turn < 3; turn++) {
            PodGroup group = world.group("g" + turn);
            GroupDecision expected = forgetful.schedule(cluster, group);
            GroupDecision actual = remembering.schedule(cluster, group);
            if (expected instanceof GroupPlaced placed) {
                assertThat(actual).isEqualTo(placed);
                cluster = cluster.withAll(placed.placements());
            } else {
                assertThat(((Unschedulable) actual).certainty()).isEqualTo(((Unschedulable) expected).certainty());
            }
        }
    }

    @Property(tries = 500)
    void whoStarts_startsWithEnoughMembersInLegalPlaces_andARefusalThatIsProvenIsOneWithoutLimitToo(@ForAll long seed) {
        RackWorld world = new RackWorld(seed);
        PlacementPolicy policy = pick(POLICIES, seed);
        PodGroup group = world.group("g");
        GroupDecision decision = scheduler(policy, 100, pick(STEPS, seed / 17)).schedule(world.cluster(), group);
        if (decision instanceof GroupPlaced placed) {
            assertThat(placed.placements()).hasSizeGreaterThanOrEqualTo(group.minMember());
            List<PodId> all = new ArrayList<>(placed.waiting());
            placed.placements().forEach(placement -> all.add(placement.pod()));
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            group.pods().stream().map(Pod::id).toList());
            world.cluster().withAll(placed.placements()); // throws if any place is not legal
        } else if (((Unschedulable) decision).certainty() == Certainty.PROVEN) {
            assertThat(GpuScheduler.of(policy).schedule(world.cluster(), group)).isInstanceOf(Unschedulable.class);
        }
    }

    @Test
    void someOfTheseWorlds_areDecidedInAnotherWayWithFewSteps_andSomeInTheSame() {
        int same = 0;
        int tries = 200;
        for (long seed = 0; seed < tries; seed++) {
            RackWorld world = new RackWorld(seed);
            PodGroup group = world.group("g");
            PlacementPolicy policy = pick(POLICIES, seed);
            GroupDecision few = scheduler(policy, 100, 5_000).schedule(world.cluster(), group);
            GroupDecision many =
                    GpuScheduler.builder().policy(policy).memory(100).build().schedule(world.cluster(), group);
            same += few.isPlaced() && few.equals(many) ? 1 : 0;
        }
        assertThat(same).isBetween(tries / 10, tries - tries / 10);
    }
}
