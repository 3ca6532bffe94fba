package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.PodGroup;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that are replaced while they run or wait; each plan is judged by the checker. */
class ChangedJobTest {
    private static final CycleSettings SETTINGS = CycleSettings.standard().withBackfill(Backfill.EASY);

    private static Plan plan(QueueState state, long now) {
        Plan plan = SchedulingCycle.of(SETTINGS, GpuScheduler.create()).plan(state, now);
        assertThat(Verifier.create().check(state, SETTINGS, now, plan)).isEmpty();
        return plan;
    }

    /** One rack of nodes with one GPU each, and another. */
    private static World racks() {
        return new World(
                World.node("n0", 1).topology(Topology.of("rack", "r0")).build(),
                World.node("n1", 1).topology(Topology.of("rack", "r1")).build(),
                World.node("n2", 1).topology(Topology.of("rack", "r1")).build());
    }

    private static QueueState with(QueueState state, PodGroup group) {
        return state.withJobReplaced(
                World.job(state, group.name()).spec().toBuilder().group(group).build());
    }

    @Test
    void newMembers_comeAsCloseToThoseThatRun_asTheGroupDemandsFromNowOn() {
        QueueState state = racks().queue("q", 3).running("job", "q", 1, 0, "n1").state();
        PodGroup near = World.group("job", 2, 1).withMinMember(1).withLocality(Locality.within("rack"));
        Plan plan = plan(with(state, near), 10);
        assertThat(plan.bindings())
                .extracting(step -> step.placement().node())
                .as("n0 comes first, but is in another rack")
                .containsExactly("n2");
    }

    @Test
    void membersThatAreApartAlready_stay_andNoMoreComeToThem() {
        QueueState state =
                racks().queue("q", 3).running("job", "q", 1, 0, "n0", "n1").state();
        PodGroup near = World.group("job", 3, 1).withMinMember(1).withLocality(Locality.within("rack"));
        Plan plan = plan(with(state, near), 10);
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.after().cluster().placements())
                .extracting(Placement::group)
                .containsOnly(Optional.ofNullable(
                        near.memberships().get(near.pods().get(0).id())));
    }

    @Test
    void aReservedStart_isVoid_ifOneOfItsMembersIsNoMemberAnyMore() {
        QueueState waiting = new World(1, 4)
                .queue("q", 4)
                .running(JobSpec.builder(World.group("running", 1, 3), "q").maxDuration(100), "n0")
                .pending(JobSpec.builder(World.group("job", 2, 2), "q").maxDuration(50))
                .state();
        QueueState told = plan(waiting, 10).after();
        assertThat(World.job(told, "job").reservation()).isPresent();
        QueueState smaller = with(told, World.group("job", 1, 2));
        assertThat(World.job(smaller, "job").reservation()).isEmpty();
        assertThat(plan(smaller, 20).steps()).noneMatch(step -> step instanceof PlanStep.Withdraw);
    }
}
