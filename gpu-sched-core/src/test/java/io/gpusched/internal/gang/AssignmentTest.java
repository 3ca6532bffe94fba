package io.gpusched.internal.gang;

import static io.gpusched.internal.gang.Gangs.assignment;
import static io.gpusched.internal.gang.Gangs.cluster;
import static io.gpusched.internal.gang.Gangs.gang;
import static io.gpusched.internal.gang.Gangs.join;
import static io.gpusched.internal.gang.Gangs.place;
import static io.gpusched.internal.gang.Gangs.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of nodes and counts while members are assigned, and in which order they are placed. */
class AssignmentTest {
    /** Assigns the next member of a kind to a candidate. */
    private static void assign(Assignment assignment, int kindAt, int candidate) {
        Member member = assignment.member(assignment.kind(kindAt));
        assignment.assign(
                member,
                candidate,
                place(assignment.node(candidate), member.demand().pod()));
    }

    private static List<String> names(List<Placement> placements) {
        return placements.stream().map(placement -> placement.pod().name()).toList();
    }

    private static GangFill fill(Cluster cluster, Gang gang) {
        return new GangFill(PlacementSearch.of(BinPack.of(), 0), cluster, gang, SearchSteps.of(Gangs.MANY));
    }

    @Test
    void equalNodes_areOneCandidateUntilOneIsInUse() {
        Assignment assignment = assignment(gang(pods(3, "p", GpuRequest.exclusive(1))), cluster(1, 1, 2));
        List<String> before = states(assignment);

        assign(assignment, 0, 0);
        assertThat(before).containsExactlyInAnyOrder("2 of 1 idle", "1 of 2 idle");
        assertThat(states(assignment)).containsExactlyInAnyOrder("1 of 0 idle", "1 of 1 idle", "1 of 2 idle");
        assertThat(assignment.lastNode()).isZero();

        assign(assignment, 0, 2);
        assertThat(assignment.lastNode()).isEqualTo(1);
        assertThat(states(assignment)).contains("1 of 0 idle", "1 of 1 idle");

        assignment.undo();
        assignment.undo();
        assertThat(states(assignment)).isEqualTo(before);
    }

    private static List<String> states(Assignment assignment) {
        List<String> states = new ArrayList<>();
        assignment.forEachNode((node, count) -> states.add(count + " of " + node.idleGpus() + " idle"));
        return states;
    }

    @Test
    void hash_doesNotDependOnTheOrderInWhichNodesWereTakenIntoUse() {
        Gang gang = gang(pods(2, "p", GpuRequest.exclusive(1)));
        Assignment one = assignment(gang, cluster(1, 2));
        Assignment other = assignment(gang, cluster(1, 2));
        assign(one, 0, 0);
        assign(one, 0, 2);
        assign(other, 0, 1);
        assign(other, 0, 1);

        assertThat(one.hash(0, 0, 1)).isEqualTo(other.hash(0, 0, 1));
        assertThat(one.hash(0, 0, 1)).isNotEqualTo(one.hash(0, 1, 1));
        assertThat(one.hash(0, 1, 1)).isNotEqualTo(other.hash(0, 1, 1));
    }

    @Test
    void members_areAssignedTheLargestFirstAndPlacedInTheGroupsOrder() {
        Gang gang = gang(join(pods(1, "small", GpuRequest.percent(10)), pods(1, "large", GpuRequest.exclusive(2))));
        Cluster cluster = cluster(3);
        Assignment assignment = assignment(gang, cluster);
        GangFill fill = fill(cluster, gang);

        assertThat(assignment.kind(0).demand().pod().id().name()).isEqualTo("large0");
        assign(assignment, 0, 0);
        assign(assignment, 1, 0);
        assignment.addTo(fill);

        assertThat(names(fill.placements())).containsExactly("small0", "large0");
    }

    @Test
    void kind_mayBeLeftOutIfTheOthersAreEnough() {
        Gang gang = gang(
                1,
                new PodGroup.Role(
                        "any",
                        0,
                        join(pods(1, "small", GpuRequest.percent(10)), pods(1, "large", GpuRequest.exclusive(2)))));

        assertThat(assignment(gang, cluster(3)).maySkip(0)).isTrue();
        assertThat(assignment(gang, cluster(3)).maySkip(1)).isFalse();
    }

    private static final Gang TWO_ROLES = gang(
            2,
            new PodGroup.Role("first", 1, pods(3, "a", GpuRequest.exclusive(1))),
            new PodGroup.Role("second", 1, pods(1, "b", GpuRequest.exclusive(1))));

    @Test
    void fill_placesTheMinimumOfEachRoleFirst() {
        GangFill fill = fill(cluster(3), TWO_ROLES);

        assertThat(fill.fill(SlotRange.EVERYWHERE)).isTrue();
        assertThat(names(fill.placements())).containsExactly("a0", "b0", "a1");
    }

    @Test
    void fill_ofASecondRange_countsThoseThatHaveAPlace() {
        Cluster cluster = cluster(1, 1);
        PlacementSearch search = PlacementSearch.of(BinPack.of(), 0);
        int second = search.index(cluster).slot("n1");
        GangFill fill = new GangFill(search, cluster, TWO_ROLES, SearchSteps.of(Gangs.MANY));

        assertThat(fill.fill(new SlotRange(0, second))).isFalse();
        assertThat(fill.fill(SlotRange.of(second))).isTrue();
        assertThat(names(fill.placements())).containsExactly("a0", "b0");
    }

    @Test
    void fillLargestFirst_placesTheLargestFirst() {
        Gang gang = gang(join(pods(2, "small", GpuRequest.percent(60)), pods(1, "large", GpuRequest.exclusive(2))));
        GangFill fill = fill(cluster(4), gang);

        assertThat(fill.fillInOrder(Gang.LARGEST_FIRST, SlotRange.EVERYWHERE)).isTrue();
        assertThat(names(fill.placements())).containsExactly("large0", "small0", "small1");
    }

    @Test
    void minimalFill_endsOnceTheGroupCanStart() {
        GangFill fill = new GangFill(
                PlacementSearch.of(BinPack.of(), 0), cluster(4), TWO_ROLES, true, SearchSteps.of(Gangs.MANY));

        fill.fill(SlotRange.EVERYWHERE);
        assertThat(names(fill.placements())).containsExactly("a0", "b0");
        assertThat(fill.complete(fill.cluster()).placements()).hasSize(4);
        assertThat(fill.isComplete()).isTrue();
    }

    @Test
    void fill_takesItsSteps() {
        SearchSteps steps = SearchSteps.of(Gangs.MANY);
        GangFill fill = new GangFill(
                PlacementSearch.of(BinPack.of(), 0),
                cluster(2),
                gang(pods(2, "p", GpuRequest.percent(10).withCount(2))),
                steps);

        assertThat(fill.fill(SlotRange.EVERYWHERE)).isTrue();
        assertThat(steps.left()).isLessThan(Gangs.MANY);
    }

    @Test
    void fill_withoutSteps_saysThatSomethingWasLeftOut() {
        SearchSteps steps = SearchSteps.of(1);
        GangFill fill = new GangFill(
                PlacementSearch.of(BinPack.of(), 0),
                cluster(2),
                gang(pods(2, "p", GpuRequest.percent(10).withCount(2))),
                steps);

        assertThat(fill.fill(SlotRange.EVERYWHERE)).isFalse();
        assertThat(steps.isReached()).isTrue();
    }
}
