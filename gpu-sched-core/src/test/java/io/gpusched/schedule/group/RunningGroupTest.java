package io.gpusched.schedule.group;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.analysis.Drain;
import io.gpusched.analysis.ScaleDown;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Fact;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Cluster.NodeLoss;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of the locality of a group that runs: its members are moved, placed anew and added as an embedder does it. */
final class RunningGroupTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final Locality RACK = Locality.within("rack");

    private final GpuScheduler scheduler = GpuScheduler.create();

    /** Racks of two nodes of four GPUs each: n0 and n1 in r0, n2 and n3 in r1, and so on. */
    private static Cluster racks(int count) {
        return Cluster.of(IntStream.range(0, 2 * count)
                .mapToObj(i -> Node.builder("n" + i)
                        .mode(NodeMode.EXCLUSIVE)
                        .capacity(96_000, 786_432)
                        .gpus(4, A100)
                        .topology(Topology.of("block", "b" + i / 4, "rack", "r" + i / 2))
                        .build())
                .toList());
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), GpuRequest.exclusive(gpus));
    }

    private static List<Pod> pods(String name, int count, int gpus) {
        return IntStream.range(0, count).mapToObj(i -> pod(name + i, gpus)).toList();
    }

    private Cluster with(Cluster cluster, PodGroup group) {
        return cluster.withAll(((GroupPlaced) scheduler.schedule(cluster, group)).placements());
    }

    private Cluster with(Cluster cluster, Pod pod) {
        return cluster.with(((Placed) scheduler.schedule(cluster, pod)).placement());
    }

    private static String rack(Cluster cluster, String pod) {
        Placement placement = cluster.placement(PodId.of(pod)).orElseThrow();
        return cluster.node(placement.node())
                .orElseThrow()
                .node()
                .topology()
                .upTo("rack")
                .toString();
    }

    private static PodGroup job(int members, int gpus) {
        return PodGroup.of("job", pods("job-", members, gpus)).withLocality(RACK);
    }

    @Test
    void aLostMember_comesBackNearTheOthers() {
        Cluster cluster = with(with(racks(2), job(2, 4)), pod("other", 2));
        NodeLoss loss = cluster.withNodeLost("n0");
        assertThat(loss.lost()).extracting(Placement::pod).containsExactly(PodId.of("job-0"));
        assertThat(loss.after().size()).isEqualTo(3);
        Pod lost = Pod.of(loss.lost().get(0)).orElseThrow();
        assertThat(scheduler.schedule(loss.after(), lost)).isInstanceOfSatisfying(Unschedulable.class, no -> {
            assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(no.diagnosis().reasons()).anySatisfy(reason -> {
                assertThat(reason.code()).isEqualTo(Code.GROUP_LOCALITY);
                assertThat(reason.nodes()).isEqualTo(2);
                assertThat(reason.facts())
                        .containsExactly(
                                new Fact.Elsewhere(loss.lost().get(0).group().orElseThrow(), 1));
            });
        });
        Cluster repaired =
                loss.after().withNode(cluster.node("n0").orElseThrow().node());
        assertThat(rack(with(repaired, lost), "job-0")).isEqualTo("block=b0/rack=r0");
        assertThat(with(repaired, lost)).isEqualTo(cluster);
    }

    @Test
    void aDrain_keepsAMemberInTheRackOfTheOthers() {
        Cluster apart = with(racks(2), job(2, 3));
        Drain drain = Drain.of(apart, List.of("n0"));
        assertThat(drain.isPossible()).isFalse();
        assertThat(drain.obstacles()).singleElement().satisfies(obstacle -> {
            assertThat(obstacle.pods()).containsExactly(PodId.of("job-0"));
            assertThat(obstacle.refusal().orElseThrow().diagnosis().reasons())
                    .anySatisfy(reason -> assertThat(reason.code()).isEqualTo(Code.GROUP_LOCALITY));
        });
    }

    @Test
    void aDrainOfAWholeGroup_movesItTogether() {
        Cluster cluster = with(racks(3), job(4, 1));
        String before = rack(cluster, "job-0");
        Drain drain = Drain.of(cluster, nodes(cluster, before));
        assertThat(drain.isPossible()).isTrue();
        List<String> after = IntStream.range(0, 4)
                .mapToObj(i -> rack(drain.after(), "job-" + i))
                .toList();
        assertThat(after).containsOnly(after.get(0)).doesNotContain(before);
        assertThat(drain.moves())
                .extracting(Placement::group)
                .containsOnly(cluster.placement(PodId.of("job-0")).orElseThrow().group());
    }

    private static List<String> nodes(Cluster cluster, String rack) {
        return cluster.nodes().stream()
                .filter(node -> node.node().topology().toString().equals(rack))
                .map(node -> node.name())
                .toList();
    }

    @Test
    void aDrainOfAWholeGroupThatFitsNowhereTogether_isRefusedForTheGroup() {
        Cluster cluster = with(with(racks(2), job(4, 2)), pod("in-the-other-rack", 2));
        Drain drain = Drain.of(cluster, nodes(cluster, rack(cluster, "job-0")));
        assertThat(drain.isPossible()).isFalse();
        assertThat(drain.obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.pods())
                        .containsExactlyInAnyOrderElementsOf(
                                job(4, 2).pods().stream().map(Pod::id).toList()));
    }

    private Placement onNode(String name, String node, int gpus) {
        return scheduler
                .place(racks(3).node(node).orElseThrow(), pod(name, gpus))
                .orElseThrow();
    }

    @Test
    void scaleDown_neverTearsAGroupApart() {
        Cluster cluster = with(racks(2), job(2, 3));
        ScaleDown down = ScaleDown.of(cluster);
        assertThat(down.nodes()).containsExactlyInAnyOrder("n2", "n3");
        assertThat(down.moves()).isEmpty();
    }

    @Test
    void moreMembersOfARunningGroup_joinTheOthers() {
        Cluster cluster = with(racks(2), job(2, 2));
        PodGroup more = PodGroup.of("job", pods("more-", 2, 2)).withLocality(RACK);
        Cluster grown = with(cluster, more);
        assertThat(List.of(rack(grown, "more-0"), rack(grown, "more-1"))).containsOnly(rack(cluster, "job-0"));
    }

    @Test
    void moreMembersThanTheRackHasRoomFor_areRefusedWithTheReason() {
        Cluster cluster = with(racks(2), job(2, 3));
        PodGroup more = PodGroup.of("job", pods("more-", 2, 2)).withLocality(RACK);
        assertThat(scheduler.schedule(cluster, more)).isInstanceOfSatisfying(Unschedulable.class, no -> {
            assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(no.diagnosis().reasons()).anySatisfy(reason -> {
                assertThat(reason.code()).isEqualTo(Code.GROUP_LOCALITY);
                assertThat(reason.nodes()).isEqualTo(2);
            });
        });
    }

    @Test
    void moreMembersOfAGroupOnOneNode_joinTheOthersThere() {
        PodGroup group = PodGroup.of("job", pods("job-", 2, 1)).withLocality(Locality.oneNode());
        Cluster cluster = with(racks(1), group);
        cluster = with(cluster, pod("on-the-other-node", 3));
        PodGroup more = PodGroup.of("job", pods("more-", 2, 1)).withLocality(Locality.oneNode());
        Cluster grown = with(cluster, more);
        assertThat(grown.placement(PodId.of("more-0")).orElseThrow().node())
                .isEqualTo(cluster.placement(PodId.of("job-0")).orElseThrow().node());
        PodGroup yetMore = PodGroup.of("job", pods("yet-more-", 1, 1)).withLocality(Locality.oneNode());
        assertThat(scheduler.schedule(grown, yetMore)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void aGroupOfTheSameNameInAnotherNamespace_isAnotherGroup() {
        Cluster cluster = with(racks(2), job(2, 4));
        PodGroup other = PodGroup.of("job", List.of(pod("team/job-0", 4))).withLocality(RACK);
        assertThat(scheduler.schedule(cluster, other)).isInstanceOf(GroupPlaced.class);
    }

    @Test
    void aPreferredLocality_drawsALostMemberNearTheOthers_andGivesWay() {
        PodGroup group = PodGroup.of("job", pods("job-", 2, 3)).withLocality(RACK.preferred());
        Cluster cluster = with(with(racks(2), group), pod("tight", 1));
        Pod lost = Pod.of(cluster.placement(PodId.of("job-0")).orElseThrow()).orElseThrow();
        Cluster without = cluster.without(lost.id());
        Cluster tempting = without.with(onNode("tempting", "n2", 1));
        assertThat(rack(with(tempting, lost), "job-0")).isEqualTo(rack(cluster, "job-1"));
        Cluster full = tempting.withCordoned("n0", true).withCordoned("n1", true);
        assertThat(rack(with(full, lost), "job-0")).isEqualTo("block=b0/rack=r1");
    }

    @Test
    void membersOfSlices_goBackToTheirSliceOrToARackOfTheirBlock() {
        PodGroup job =
                PodGroup.of("job", pods("job-", 8, 1)).withSlices(4, "rack").withLocality(Locality.within("block"));
        Cluster cluster = with(racks(4), job);
        Pod first = Pod.of(cluster.placement(PodId.of("job-0")).orElseThrow()).orElseThrow();
        Cluster open = cluster.without(first.id());
        assertThat(rack(with(open, first), "job-0")).isEqualTo(rack(cluster, "job-1"));
        Drain drain = Drain.of(cluster, nodes(cluster, rack(cluster, "job-0")));
        assertThat(drain.isPossible()).isTrue();
        List<String> racks = IntStream.range(0, 4)
                .mapToObj(i -> rack(drain.after(), "job-" + i))
                .toList();
        assertThat(racks)
                .containsOnly(racks.get(0))
                .allSatisfy(name -> assertThat(name).startsWith("block=b0/"));
    }
}
