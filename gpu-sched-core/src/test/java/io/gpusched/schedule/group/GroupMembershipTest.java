package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What placements know of the group that their pod is in. */
final class GroupMembershipTest {
    private static final Cluster CLUSTER = Cluster.of(IntStream.range(0, 4)
            .mapToObj(i -> Node.builder("n" + i)
                    .mode(NodeMode.EXCLUSIVE)
                    .capacity(96_000, 786_432)
                    .gpus(4, GpuModel.of("nvidia", "A100", 81_920))
                    .topology(Topology.of("block", "b", "nvlink", "v" + i / 2))
                    .build())
            .toList());

    private static List<Pod> pods(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of("p" + i, Resources.of(1, 1), GpuRequest.exclusive(1)))
                .toList();
    }

    private static List<Placement> placed(PodGroup group) {
        return ((GroupPlaced) GpuScheduler.create().schedule(CLUSTER, group)).placements();
    }

    @Test
    void placementsOfAGroup_nameItAndItsLocality() {
        PodGroup group = PodGroup.of("job", pods(3)).withLocality(Locality.within("nvlink"));
        assertThat(placed(group))
                .extracting(Placement::group)
                .containsOnly(Optional.of(GroupMembership.of("job", Locality.within("nvlink"))));
    }

    @Test
    void placementsOfASlice_nameTheSliceAndTheGroupAroundIt() {
        PodGroup group = PodGroup.of("job", pods(8)).withSlices(4, "nvlink").withLocality(Locality.within("block"));
        GroupMembership job = GroupMembership.of("job", Locality.within("block"));
        List<Placement> placements = placed(group);
        assertThat(placements)
                .extracting(placement -> placement.group().orElseThrow())
                .containsOnly(
                        job.in("slice of p0", Locality.within("nvlink")),
                        job.in("slice of p4", Locality.within("nvlink")));
        assertThat(placements.get(0).group().orElseThrow()).hasToString("job/slice of p0, required in one nvlink");
        assertThat(group.memberships())
                .containsEntry(pods(8).get(5).id(), job.in("slice of p4", Locality.within("nvlink")));
    }

    @Test
    void aPodThatIsAMemberByItself_staysInItsGroup() {
        Optional<GroupMembership> own = Optional.of(GroupMembership.of("other", Locality.oneNode()));
        List<Pod> pods = List.of(pods(1).get(0).withGroup(own), pods(2).get(1));
        assertThat(placed(PodGroup.of("job", pods)))
                .extracting(Placement::group)
                .containsExactly(own, Optional.of(GroupMembership.of("job", Locality.ANYWHERE)));
    }

    @Test
    void podsThatAreMembersOfAnotherGroupTogether_areNotTornApart() {
        Optional<GroupMembership> slice =
                Optional.of(GroupMembership.of("running", Locality.ANYWHERE).in("slice", Locality.within("nvlink")));
        List<Pod> slices = IntStream.range(0, 2)
                .mapToObj(i -> Pod.of("s" + i, Resources.of(1, 1), GpuRequest.exclusive(3))
                        .withGroup(slice))
                .toList();
        Cluster odd = CLUSTER.withCordoned("n1", true).withCordoned("n3", true);
        GpuScheduler scheduler = GpuScheduler.create();
        assertThat(scheduler.schedule(odd, PodGroup.of("running", slices))).isInstanceOf(Unschedulable.class);
        assertThat(scheduler.schedule(odd.withCordoned("n1", false), PodGroup.of("running", slices)))
                .isInstanceOfSatisfying(
                        GroupPlaced.class,
                        placed -> assertThat(placed.placements())
                                .extracting(Placement::node)
                                .containsExactlyInAnyOrder("n0", "n1"));
    }

    @Test
    void placementsThatDifferInTheirGroupAlone_areNotEqual() {
        Placement placement = placed(PodGroup.of("job", pods(1))).get(0);
        Placement alone = placement.withGroup(Optional.empty());
        assertThat(alone).isNotEqualTo(placement);
        assertThat(alone.withGroup(placement.group())).isEqualTo(placement).hasSameHashCodeAs(placement);
        assertThat(CLUSTER.with(alone)).isNotEqualTo(CLUSTER.with(placement));
        assertThat(CLUSTER.with(placement).without(alone)).isEqualTo(CLUSTER);
    }

    @Test
    void aMembershipWithoutAName_isRefused() {
        assertThatThrownBy(() -> GroupMembership.of(" ", Locality.ANYWHERE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group membership: name must not be blank");
    }
}
