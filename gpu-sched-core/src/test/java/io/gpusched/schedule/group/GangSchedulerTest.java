package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangSchedulerTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final Resources SMALL = Resources.of(1_000, 1_000);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node node(String name, String rack, int gpus) {
        return Node.builder(name)
                .capacity(64_000, 256_000)
                .topology(Topology.of("rack", rack))
                .gpus(gpus, A100)
                .build();
    }

    /** Racks r0, r1, ... of so many 8-GPU nodes each. */
    private static Cluster racks(int... sizes) {
        List<Node> nodes = new ArrayList<>();
        for (int rack = 0; rack < sizes.length; rack++) {
            for (int i = 0; i < sizes[rack]; i++) {
                nodes.add(node("n" + rack + i, "r" + rack, 8));
            }
        }
        return Cluster.of(nodes);
    }

    private static List<Pod> pods(String prefix, int count, GpuRequest request) {
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of(prefix + i, SMALL, request))
                .toList();
    }

    private static PodGroup gang(int count, GpuRequest request) {
        return PodGroup.of("train", pods("m", count, request));
    }

    private static List<String> nodesOf(GroupDecision decision) {
        assertThat(decision).isInstanceOf(GroupPlaced.class);
        return ((GroupPlaced) decision)
                .placements().stream().map(Placement::node).toList();
    }

    private Diagnosis diagnosis(Cluster cluster, PodGroup group) {
        GroupDecision decision = scheduler.schedule(cluster, group);
        assertThat(decision).isInstanceOf(Unschedulable.class);
        assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
        return ((Unschedulable) decision).diagnosis();
    }

    @Test
    void schedule_equalMembers_fillsNodeAfterNode() {
        assertThat(nodesOf(scheduler.schedule(racks(3), gang(4, GpuRequest.exclusive(4)))))
                .containsExactly("n00", "n00", "n01", "n01");
    }

    @Test
    void schedule_wholeNodes_takesThemInOrder() {
        assertThat(nodesOf(scheduler.schedule(racks(2, 2), gang(3, GpuRequest.wholeNode()))))
                .containsExactly("n00", "n01", "n10");
    }

    @Test
    void schedule_oneMemberTooMany_placesNone() {
        Diagnosis diagnosis = diagnosis(racks(2), gang(3, GpuRequest.wholeNode()));

        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(Reason.Code.GROUP);
        assertThat(diagnosis.reasons().get(0).detail())
                .isEqualTo(
                        "member \"m2\" (a whole node) alone would fit, but of 3 members needed together 2 have room");
        assertThat(diagnosis.couldFitLater()).isFalse();
    }

    @Test
    void schedule_membersBeyondTheMinimum_goAsFarAsTheyGo() {
        GroupDecision decision =
                scheduler.schedule(racks(2), gang(5, GpuRequest.exclusive(5)).withMinMember(2));

        assertThat(nodesOf(decision)).containsExactly("n00", "n01");
        assertThat(((GroupPlaced) decision).waiting()).containsExactly(PodId.of("m2"), PodId.of("m3"), PodId.of("m4"));
    }

    private static PodGroup roles(int minMember, Role... roles) {
        return new PodGroup("roles", minMember, List.of(roles), Locality.ANYWHERE);
    }

    @Test
    void schedule_rolesMinimum_comesBeforeEarlierMembersBeyondTheirs() {
        PodGroup group = roles(
                2,
                new Role("worker", 1, pods("w", 2, GpuRequest.exclusive(8))),
                new Role("server", 1, pods("s", 1, GpuRequest.exclusive(8))));

        GroupPlaced decision = (GroupPlaced) scheduler.schedule(racks(2), group);

        assertThat(decision.placements()).extracting(Placement::pod).containsExactly(PodId.of("w0"), PodId.of("s0"));
        assertThat(decision.waiting()).containsExactly(PodId.of("w1"));
    }

    @Test
    void schedule_roleWithoutItsMinimum_isRefusedAndNamesTheRole() {
        PodGroup group = roles(
                1,
                new Role("worker", 0, pods("w", 1, GpuRequest.exclusive(1))),
                new Role("server", 3, pods("s", 3, GpuRequest.exclusive(8))));

        assertThat(diagnosis(racks(2), group).toString()).contains("role \"server\" lacks 1");
    }

    @Test
    void schedule_smallMembersFirstWouldBlockTheLargeOnes_stillStarts() {
        List<Pod> members = new ArrayList<>(pods("small", 2, GpuRequest.exclusive(3)));
        members.addAll(pods("large", 1, GpuRequest.exclusive(5)));
        members.addAll(pods("mid", 1, GpuRequest.exclusive(5)));

        assertThat(scheduler.schedule(racks(2), PodGroup.of("mixed", members)).isPlaced())
                .isTrue();
    }

    @Test
    void schedule_withinARack_takesTheTightestThatHasRoomForAll() {
        assertThat(nodesOf(scheduler.schedule(
                        racks(4, 2, 3), gang(2, GpuRequest.wholeNode()).withLocality(Locality.within("rack")))))
                .containsExactly("n10", "n11");
    }

    @Test
    void schedule_noRackIsLargeEnough_isRefused() {
        PodGroup group = gang(4, GpuRequest.wholeNode()).withLocality(Locality.within("rack"));

        assertThat(diagnosis(racks(3, 3), group).toString())
                .contains("of 4 members needed together in one rack 3 have room");
    }

    @Test
    void schedule_withinALevelThatNoNodeHas_isToldSo() {
        PodGroup group = gang(2, GpuRequest.wholeNode()).withLocality(Locality.within("row"));

        Diagnosis diagnosis = diagnosis(racks(2), group);

        assertThat(diagnosis.toString())
                .isEqualTo("pod group \"train\": can never fit on any of 2 nodes\n"
                        + "  2 nodes: no node has the topology level \"row\"; known here are rack\n"
                        + "  nearest remedy: ask for a topology level that nodes have: rack");
        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(Reason.Code.TOPOLOGY_LEVEL);
    }

    @Test
    void schedule_rackPreferred_goesOverFewRacksIfNoneIsLargeEnough() {
        Locality preferred = Locality.within("rack").preferred();

        assertThat(nodesOf(scheduler.schedule(
                        racks(1, 2, 3), gang(4, GpuRequest.wholeNode()).withLocality(preferred))))
                .containsExactly("n20", "n21", "n22", "n10");
    }

    @Test
    void schedule_onOneNode_takesTheOneThatIsFullestAmongThoseWithRoom() {
        Cluster cluster = racks(3);
        for (int i = 0; i < 2; i++) {
            Pod filler = Pod.of("filler" + i, SMALL, GpuRequest.exclusive(4));
            cluster = cluster.with(scheduler
                    .place(cluster.node("n0" + (i + 1)).orElseThrow(), filler)
                    .orElseThrow());
        }

        PodGroup group = gang(4, GpuRequest.exclusive(1)).withLocality(Locality.oneNode());
        assertThat(nodesOf(scheduler.schedule(cluster, group))).containsExactly("n01", "n01", "n01", "n01");
    }

    @Test
    void schedule_onOneNodeWithTooFewGpus_saysHowManyHaveRoom() {
        PodGroup group = gang(3, GpuRequest.exclusive(3)).withLocality(Locality.oneNode());

        Diagnosis diagnosis = diagnosis(racks(2), group);

        assertThat(diagnosis.remedy().toString()).isEqualTo("let the group use more than one node");
        assertThat(diagnosis.reasons().get(0).detail())
                .endsWith("of 3 members needed together on one node 2 have room");
    }

    @Test
    void schedule_busyCluster_couldFitLater() {
        Cluster cluster = racks(2);
        for (Placement placement : ((GroupPlaced)
                        scheduler.schedule(cluster, PodGroup.of("old", pods("o", 2, GpuRequest.exclusive(2)))))
                .placements()) {
            cluster = cluster.with(placement);
        }

        Diagnosis diagnosis = diagnosis(cluster, gang(2, GpuRequest.wholeNode()));

        assertThat(diagnosis.couldFitLater()).isTrue();
        assertThat(diagnosis.remedy().toString()).isEqualTo("release pods \"o0\", \"o1\" on n00");
    }

    @Test
    void schedule_busyCluster_couldFitLater_thoughAMemberThatNeedNotStartNeverFits() {
        Cluster cluster = racks(1);
        PodGroup all = gang(1, GpuRequest.wholeNode());
        cluster = cluster.withAll(((GroupPlaced) scheduler.schedule(cluster, all)).placements());
        List<Pod> members = new ArrayList<>(pods("large", 1, GpuRequest.exclusive(9)));
        members.addAll(pods("small", 1, GpuRequest.exclusive(1)));

        Diagnosis diagnosis = diagnosis(cluster, PodGroup.of("group", members).withMinMember(1));

        assertThat(diagnosis.couldFitLater()).isTrue();
        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(Reason.Code.HELD_WHOLE);
        assertThat(diagnosis(cluster, PodGroup.of("group", members)).couldFitLater())
                .isFalse();
    }

    @Test
    void schedule_groupThatCanNeverStart_couldNotFitLater_thoughAMemberCouldInAnotherShape() {
        Pod choice = Pod.of("c", SMALL, GpuRequest.firstOf(GpuRequest.exclusive(9), GpuRequest.exclusive(8)));
        Cluster busy = racks(1).with(((GroupPlaced) scheduler.schedule(racks(1), gang(1, GpuRequest.exclusive(1))))
                .placements()
                .get(0));
        PodGroup two = PodGroup.of("two", List.of(choice, choice.withId(PodId.of("d"))));

        assertThat(((Unschedulable) scheduler.schedule(busy, two)).couldFitLater())
                .isFalse();
        assertThat(((Unschedulable) scheduler.schedule(busy, two.withMinMember(1))).couldFitLater())
                .isTrue();
    }

    @Test
    void schedule_shapesThatOnlySomeNodesAdmitByTheirMode_areExplainedAllTheSame() {
        Node shared = Node.builder("shared")
                .mode(NodeMode.SHARED)
                .capacity(64_000, 256_000)
                .gpus(2, A100)
                .build();
        Cluster cluster = Cluster.of(List.of(shared)).withGpuHealth("shared", 1, false);
        Pod choice = Pod.of("c", SMALL, GpuRequest.firstOf(GpuRequest.exclusive(1), GpuRequest.percent(60)));
        List<Pod> members = List.of(choice, choice.withId(PodId.of("d")), Pod.of("plain", SMALL, GpuRequest.none()));

        Diagnosis diagnosis = diagnosis(cluster, PodGroup.of("all", members));

        assertThat(diagnosis.couldFitLater()).isTrue();
        assertThat(diagnosis.remedy().toString()).isEqualTo("make room for a pod of 1 core, 1000 MiB, for 0.6 GPUs");
    }

    @Test
    void schedule_memberThatRunsAlready_isAConflict() {
        Cluster cluster = racks(1);
        PodGroup group = gang(1, GpuRequest.exclusive(1));
        Cluster placed = cluster.withAll(((GroupPlaced) scheduler.schedule(cluster, group)).placements());

        assertThatThrownBy(() -> scheduler.schedule(placed, group))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("\"m0\"");
    }
}
