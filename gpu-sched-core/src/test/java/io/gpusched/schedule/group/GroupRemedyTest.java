package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Role;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What would have to change for a group to start, in words. */
class GroupRemedyTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final Resources SMALL = Resources.of(1_000, 1_000);

    private static Node.Builder node(String name, String rack, int gpus) {
        return Node.builder(name)
                .capacity(8_000, 8_000)
                .topology(Topology.of("rack", rack))
                .gpus(gpus, A100);
    }

    private static List<Pod> pods(int count, GpuRequest request) {
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of("m" + i, SMALL, request))
                .toList();
    }

    private static PodGroup group(int count, GpuRequest request) {
        return PodGroup.of("g", pods(count, request));
    }

    private static Cluster running(Cluster cluster, String node, String name, GpuRequest request) {
        return cluster.with(GpuScheduler.create()
                .place(cluster.node(node).orElseThrow(), Pod.of(name, SMALL, request))
                .orElseThrow());
    }

    private static String remedy(Cluster cluster, PodGroup group) {
        return ((Unschedulable) GpuScheduler.create().schedule(cluster, group))
                .diagnosis()
                .remedy()
                .toString();
    }

    @Test
    void noRackIsLargeEnough_letsTheGroupSpread() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 2).build(), node("n2", "b", 2).build()));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.within("rack"))))
                .isEqualTo("let the group use more than one rack");
    }

    @Test
    void noNodeIsLargeEnough_letsTheGroupSpread() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 2).build(), node("n2", "b", 2).build()));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.oneNode())))
                .isEqualTo("let the group use more than one node");
    }

    @Test
    void rackThatIsLargeEnoughOncePodsLeave_isTheOneToMakeRoomIn() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", "a", 2).build(),
                node("n2", "b", 2).build(),
                node("n3", "b", 2).build()));
        cluster = running(cluster, "n2", "old", GpuRequest.exclusive(2));
        cluster = running(cluster, "n3", "other", GpuRequest.exclusive(2));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.within("rack"))))
                .isEqualTo("make room for 3 pods, each of 1 core, 1000 MiB, for 1 whole" + " GPU, in rack=b");
    }

    @Test
    void membersThatHaveRoomTogetherElsewhere_spreadBeforeAnyoneLeaves() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", "a", 2).build(),
                node("n2", "b", 2).build(),
                node("n3", "b", 2).build()));
        cluster = running(cluster, "n2", "old", GpuRequest.exclusive(2));
        cluster = running(cluster, "n3", "other", GpuRequest.exclusive(1));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.within("rack"))))
                .isEqualTo("let the group use more than one rack");
    }

    /** The GPU of the first member would be less to free than that of the pod that runs. */
    @Test
    void oneMemberLacksRoom_noOtherMemberIsToLeaveForIt() {
        Cluster cluster = running(
                Cluster.of(List.of(node("n1", "a", 2).mode(NodeMode.MIXED).build())),
                "n1",
                "old",
                GpuRequest.percent(95));
        List<Pod> pods =
                List.of(Pod.of("whole", SMALL, GpuRequest.exclusive(1)), Pod.of("part", SMALL, GpuRequest.percent(90)));

        assertThat(remedy(cluster, PodGroup.of("g", pods).withLocality(Locality.oneNode())))
                .startsWith("free ")
                .contains("GPU 0 of n1")
                .doesNotContain("release");
    }

    @Test
    void oneMemberLacksRoom_saysHowMuchWhere() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 2).build(), node("n2", "a", 2).build()));
        cluster = running(cluster, "n1", "old", GpuRequest.exclusive(1));

        assertThat(remedy(cluster, group(2, GpuRequest.exclusive(2)))).isEqualTo("1 more idle GPU on n1 (has 1 of 2)");
    }

    @Test
    void membersInTheWayOfEachOther_areNotAskedToLeave() {
        Cluster cluster = Cluster.of(List.of(node("n1", "a", 2).build()));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1))))
                .isEqualTo("add a node with 1 core, 1000 MiB, for 1 whole GPU");
    }

    @Test
    void severalMembersLackRoom_saysForHowManyAndWhatEachNeeds() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 4).build(), node("n2", "a", 4).build()));
        cluster = running(cluster, "n1", "one", GpuRequest.exclusive(4));
        cluster = running(cluster, "n2", "two", GpuRequest.exclusive(3));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1))))
                .isEqualTo("make room for 2 pods, each of 1 core, 1000 MiB, for 1 whole" + " GPU");
    }

    @Test
    void membersThatMustStayOnOneNode_areToldTheNodeThatHasRoomForMost() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 2).build(), node("n2", "a", 4).build()));
        cluster = running(cluster, "n2", "two", GpuRequest.exclusive(3));
        cluster = running(cluster, "n1", "one", GpuRequest.exclusive(2));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.oneNode())))
                .isEqualTo("make room on n2 for 2 pods, each of 1 core, 1000 MiB, for 1" + " whole GPU");
    }

    @Test
    void aMemberThatCanBeServedInTwoShapes_isGivenRoomInTheOneThatItsNodesTake() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", "a", 1).mode(NodeMode.SHARED).build()));
        cluster = running(cluster, "n1", "old", GpuRequest.percent(80));
        List<Pod> pods = pods(1, GpuRequest.firstOf(GpuRequest.exclusive(1), GpuRequest.percent(30)));
        cluster = cluster.withCordoned("n1", true);

        assertThat(remedy(cluster, PodGroup.of("g", pods))).startsWith("uncordon n1 and free 10 % of the compute");
        assertThat(remedy(cluster, group(3, GpuRequest.firstOf(GpuRequest.exclusive(1), GpuRequest.percent(30)))))
                .isEqualTo("make room for 3 pods, each of 1 core, 1000 MiB, for 0.3 GPUs");
    }

    @Test
    void optionalMembers_areGivenNoRoom() {
        Cluster cluster =
                running(Cluster.of(List.of(node("n1", "a", 1).build())), "n1", "old", GpuRequest.exclusive(1));

        assertThat(remedy(cluster, group(4, GpuRequest.exclusive(1)).withMinMember(1)))
                .isEqualTo("1 more idle GPU on n1 (has 0 of 1)");
    }

    @Test
    void everyRackIsTooSmallAndSoIsAllTogether_wantsNodesInTheRackThatTakesMost() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "a", 1).build(), node("n2", "b", 2).build()));

        assertThat(remedy(cluster, group(4, GpuRequest.exclusive(1)).withLocality(Locality.within("rack"))))
                .isEqualTo("add 2 nodes, each with 1 core, 1000 MiB, for 1 whole GPU," + " in rack=b");
    }

    @Test
    void everyNodeIsTooSmallAndSoIsAllTogether_wantsOneNodeForAll() {
        Cluster cluster = Cluster.of(List.of(node("n1", "a", 2).build()));

        assertThat(remedy(cluster, group(3, GpuRequest.exclusive(1)).withLocality(Locality.oneNode())))
                .isEqualTo("add a node with 3 cores, 3000 MiB, for 3 times 1 whole GPU");
    }

    @Test
    void rolesWithTheirOwnMinimum_wantANodeForEachKindOfMember() {
        List<Role> roles = List.of(
                new Role("big", 1, List.of(Pod.of("b", SMALL, GpuRequest.exclusive(4)))),
                new Role("small", 1, List.of(Pod.of("s", SMALL, GpuRequest.percent(50)))));
        Cluster cluster =
                Cluster.of(List.of(node("n1", "a", 2).mode(NodeMode.EXCLUSIVE).build()));

        assertThat(remedy(cluster, new PodGroup("g", 2, roles, Locality.ANYWHERE)))
                .isEqualTo("add a node with 1 core, 1000 MiB, for 4 whole GPUs and add a"
                        + " node with 1 core, 1000 MiB, for 0.5 GPUs");
    }

    @Test
    void taintOfTheOnlyNodesWithRoom_isToBeTolerated() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", "a", 1).build(),
                node("n2", "a", 1).taint(Taint.noSchedule("team", "x")).build()));

        assertThat(remedy(cluster, group(2, GpuRequest.exclusive(1))))
                .isEqualTo("tolerate taint team=x:NoSchedule of n2");
    }

    @Test
    void labelsOfTheOnlyNodeWithRoom_areToBeAccepted() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", "a", 1).label("disk", "ssd").build(),
                node("n2", "a", 1).build()));
        NodeSelector ssd = NodeSelector.all(NodeRequirement.in("disk", "ssd"));
        List<Pod> pods = pods(2, GpuRequest.exclusive(1)).stream()
                .map(pod -> new Pod(pod.id(), pod.containers(), ssd, List.of()))
                .toList();

        assertThat(remedy(cluster, PodGroup.of("g", pods))).isEqualTo("accept the labels of n2");
    }

    @Test
    void oneNodeForAll_needsWhatMustStartTogether_andNoMore() {
        List<Role> roles = List.of(
                new Role("small", 0, pods(3, GpuRequest.percent(50))),
                new Role("big", 1, List.of(Pod.of("b", SMALL, GpuRequest.exclusive(4)))));
        Cluster cluster = Cluster.of(List.of(node("n1", "a", 2).build()));

        assertThat(remedy(cluster, new PodGroup("g", 2, roles, Locality.oneNode())))
                .isEqualTo("add a node with 2 cores, 2000 MiB, for 0.5 GPUs and 4 whole GPUs");
    }

    @Test
    void nodesAreAddedForAsManyMembersAsMustStart() {
        Cluster cluster = Cluster.of(List.of(node("n1", "a", 1).build()));

        assertThat(remedy(cluster, group(5, GpuRequest.exclusive(1)).withMinMember(3)))
                .isEqualTo("add 2 nodes, each with 1 core, 1000 MiB, for 1 whole GPU");
    }
}
