package io.gpusched.internal.gang;

import static io.gpusched.internal.gang.Gangs.assignment;
import static io.gpusched.internal.gang.Gangs.cluster;
import static io.gpusched.internal.gang.Gangs.gang;
import static io.gpusched.internal.gang.Gangs.place;
import static io.gpusched.internal.gang.Gangs.pod;
import static io.gpusched.internal.gang.Gangs.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What sums, counts and bins rule out before members are placed. */
class GangRoomTest {
    private static boolean sumsAllow(Cluster cluster, List<Pod> pods) {
        return SumBound.mayStart(gang(pods), cluster.nodes());
    }

    private static List<Pod> two(Resources resources) {
        return List.of(Pod.of("p0", resources, GpuRequest.none()), Pod.of("p1", resources, GpuRequest.none()));
    }

    @Test
    void group_thatNeedsMoreThanAllNodesHave_cannotStart() {
        assertThat(sumsAllow(cluster(0, 0), two(Resources.of(8_000, 0)))).isTrue();
        assertThat(sumsAllow(cluster(0, 0), two(Resources.of(8_001, 0)))).isFalse();
        assertThat(sumsAllow(cluster(0, 0), two(Resources.of(0, 8_000)))).isTrue();
        assertThat(sumsAllow(cluster(0, 0), two(Resources.of(0, 8_001)))).isFalse();
        assertThat(sumsAllow(cluster(1, 2), pods(3, "p", GpuRequest.exclusive(1))))
                .isTrue();
        assertThat(sumsAllow(cluster(1, 2), pods(4, "p", GpuRequest.exclusive(1))))
                .isFalse();
        assertThat(sumsAllow(cluster(1, 1), pods(5, "p", GpuRequest.percent(40))))
                .isTrue();
        assertThat(sumsAllow(cluster(1, 1), pods(6, "p", GpuRequest.percent(40))))
                .isFalse();
    }

    @Test
    void group_thatIsMoreThanThePodsThatNodesTake_cannotStart() {
        Node node = Node.builder("n").capacity(8_000, 8_000).maxPods(3).build();
        Cluster empty = Cluster.of(List.of(node));
        Cluster used = empty.with(place(empty.node(0), pod("running", 1, GpuRequest.none())));

        assertThat(sumsAllow(empty, pods(3, "p", GpuRequest.none()))).isTrue();
        assertThat(sumsAllow(used, pods(3, "p", GpuRequest.none()))).isFalse();
        assertThat(sumsAllow(used, pods(2, "p", GpuRequest.none()))).isTrue();
    }

    @Test
    void sum_followsANodeThatChanges() {
        Cluster cluster = cluster(2);
        NodeState before = cluster.node(0);
        NodeState after = before.with(place(before, pod("running", 1, GpuRequest.exclusive(1))));
        Gang gang = gang(pods(2, "p", GpuRequest.exclusive(1)));
        SumBound idle = SumBound.of(gang).get(2);
        idle.add(before);

        idle.change(before, after);
        assertThat(idle.isEnough(new int[1], gang.sizes())).isFalse();
        idle.change(after, before);
        assertThat(idle.isEnough(new int[1], gang.sizes())).isTrue();
    }

    /** One of each of these shares by which all must start, two of the first. */
    private static Gang shares(GpuRequest first, GpuRequest second) {
        return gang(
                3,
                new PodGroup.Role("first", 2, pods(2, "p", first)),
                new PodGroup.Role("second", 1, pods(1, "q", second)));
    }

    @Test
    void sharesOfWhichNoTwoGoOnOneGpu_needAsManyGpus() {
        Gang gang = shares(GpuRequest.percent(60), GpuRequest.percent(70));

        assertThat(assignment(gang, cluster(2)).mayStart(0)).isFalse();
        assertThat(assignment(gang, cluster(3)).mayStart(0)).isTrue();
        assertThat(assignment(gang, cluster(1, 1)).mayStart(0)).isFalse();
    }

    @Test
    void sharesOfMemoryOfWhichNoTwoGoOnOneGpu_needAsManyGpus() {
        Gang gang = shares(GpuRequest.share(1, GpuMemory.mib(600)), GpuRequest.share(1, GpuMemory.mib(700)));

        assertThat(assignment(gang, cluster(2)).mayStart(0)).isFalse();
        assertThat(assignment(gang, cluster(3)).mayStart(0)).isTrue();
    }

    @Test
    void sharesOfWhichAnyMayStart_needRoomForTheSmallest() {
        // any three of 60, 60 and 70, 70 percent
        Gang gang = gang(
                3,
                new PodGroup.Role(
                        "any",
                        0,
                        Gangs.join(pods(2, "p", GpuRequest.percent(60)), pods(2, "q", GpuRequest.percent(70)))));

        assertThat(assignment(gang, cluster(2)).mayStart(0)).isFalse();
        assertThat(assignment(gang, cluster(3)).mayStart(0)).isTrue();
    }

    @Test
    void gpusInUse_takeNoMoreThanIsLeft() {
        Cluster idle = cluster(3);
        Cluster used = idle.with(place(idle.node(0), pod("running", 1, GpuRequest.percent(50))));
        Gang gang = shares(GpuRequest.percent(60), GpuRequest.percent(55));

        assertThat(assignment(gang, idle).mayStart(0)).isTrue();
        assertThat(assignment(gang, used).mayStart(0)).isFalse();
    }

    @Test
    void membersThatNoLeftNodeTakes_areCountedKindByKind() {
        Gang gang = gang(pods(3, "p", GpuRequest.exclusive(2)));

        assertThat(assignment(gang, cluster(4, 2)).mayStart(0)).isTrue();
        assertThat(assignment(gang, cluster(3, 3)).mayStart(0)).isFalse();
    }

    @Test
    void look_takesMoreStepsTheMoreNodesAndGpusThereAre() {
        Gang gang = gang(pods(5, "p", GpuRequest.percent(60)));
        long ofFour = assignment(gang, cluster(4)).stepsToLook();
        long ofEight = assignment(gang, cluster(8)).stepsToLook();
        long ofBoth = assignment(gang, cluster(4, 8)).stepsToLook();

        // a bin and what is held of it, by compute and by memory
        assertThat(ofEight - ofFour).isEqualTo(4 * 2 * 2);
        assertThat(ofBoth).isGreaterThan(ofEight + 4 * 2 * 2);
    }

    @Test
    void moreThan256Gpus_areNotLookedAtAsBins() {
        Gang gang = gang(pods(5, "p", GpuRequest.percent(60)));
        long of256 = assignment(gang, cluster(64, 64, 64, 64)).stepsToLook();
        long of320 = assignment(gang, cluster(64, 64, 64, 64, 64)).stepsToLook();

        assertThat(of256 - of320).isEqualTo(256 * 2 * 2);
    }

    private static GangDomains domains(PlacementSearch search, Cluster cluster, List<Pod> pods) {
        return new GangDomains(search, cluster, gang(pods));
    }

    @Test
    void nodesWithTooFewIdleGpus_cannotHoldAGroup() {
        Cluster cluster = cluster(2, 3);
        PlacementSearch search = PlacementSearch.of(BinPack.of(), 0);
        GangDomains domains = domains(search, cluster, pods(3, "p", GpuRequest.exclusive(1)));
        int second = search.index(cluster).slot("n1");

        assertThat(domains.mayStart(cluster.node(0))).isFalse();
        assertThat(domains.mayStart(cluster.node(1))).isTrue();
        assertThat(domains.mayStart(new SlotRange(0, second))).isFalse();
        assertThat(domains.mayStart(SlotRange.of(second))).isTrue();
    }

    @Test
    void groupOfWholeNodes_needsAsManyEmptyOnes() {
        Cluster idle = cluster(2, 2);
        Cluster used = idle.with(place(idle.node(0), pod("running", 1, GpuRequest.percent(50))));
        PlacementSearch search = PlacementSearch.of(BinPack.of(), 0);
        List<Pod> pair = pods(2, "p", GpuRequest.wholeNode());
        List<Pod> one = pods(1, "p", GpuRequest.wholeNode());

        assertThat(domains(search, idle, pair).mayStart(SlotRange.EVERYWHERE)).isTrue();
        assertThat(domains(search, used, pair).mayStart(SlotRange.EVERYWHERE)).isFalse();
        assertThat(domains(search, idle, pair).mayStart(idle.node(0))).isFalse();
        assertThat(domains(search, used, one).mayStart(used.node(0))).isFalse();
        assertThat(domains(search, used, one).mayStart(used.node(1))).isTrue();
    }

    @Test
    void nodeOfOtherGpus_isAsGoodForAWholeNode() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n0").capacity(8_000, 8_000).gpus(1, Nodes.SMALL).build()));

        assertThat(domains(PlacementSearch.of(BinPack.of(), 0), cluster, pods(1, "p", GpuRequest.wholeNode()))
                        .mayStart(SlotRange.EVERYWHERE))
                .isTrue();
    }
}
