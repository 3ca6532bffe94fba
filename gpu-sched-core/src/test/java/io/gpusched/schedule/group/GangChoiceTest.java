package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which domain, which nodes and which one node a gang goes to where several would do. */
class GangChoiceTest {
    private static final Resources LITTLE = Resources.of(10, 10);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node node(String name, Topology topology, int gpus) {
        return node(name, topology, gpus, 64_000);
    }

    private static Node node(String name, Topology topology, int gpus, long cpuMillis) {
        return Node.builder(name)
                .capacity(cpuMillis, 64_000)
                .topology(topology)
                .gpus(gpus, Nodes.BIG)
                .build();
    }

    /** Racks r0, r1, ... of nodes with so many GPUs: {@code gpus[rack][node]}. */
    private static Cluster racks(int[][] gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int r = 0; r < gpus.length; r++) {
            for (int n = 0; n < gpus[r].length; n++) {
                nodes.add(node("r" + r + "-n" + n, Topology.of("rack", "r" + r), gpus[r][n]));
            }
        }
        return Cluster.of(nodes);
    }

    /** Blocks b0, b1, ... with in each racks of one node with so many GPUs. */
    private static Cluster blocks(int[][] gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int b = 0; b < gpus.length; b++) {
            for (int r = 0; r < gpus[b].length; r++) {
                nodes.add(node("b" + b + "-r" + r, Topology.of("block", "b" + b, "rack", "r" + r), gpus[b][r]));
            }
        }
        return Cluster.of(nodes);
    }

    private static List<Pod> pods(String prefix, int count, GpuRequest request) {
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of(prefix + i, LITTLE, request))
                .toList();
    }

    /** Pods of one GPU each. */
    private static List<Pod> pods(String prefix, int count, UnaryOperator<Pod.Builder> more) {
        return IntStream.range(0, count)
                .mapToObj(i -> more.apply(Pod.builder(prefix + i)
                                .container(Container.of("main", LITTLE, GpuRequest.exclusive(1))))
                        .build())
                .toList();
    }

    private static PodGroup gang(int count) {
        return gang(count, GpuRequest.exclusive(1));
    }

    private static PodGroup gang(int count, GpuRequest request) {
        return PodGroup.of("gang", pods("m", count, request));
    }

    private static PodGroup inOneRack(PodGroup gang) {
        return gang.withLocality(Locality.within("rack"));
    }

    private static PodGroup onOneNode(PodGroup gang) {
        return gang.withLocality(Locality.oneNode());
    }

    private List<String> nodes(Cluster cluster, PodGroup group) {
        return placed(cluster, group).placements().stream().map(Placement::node).toList();
    }

    private GroupPlaced placed(Cluster cluster, PodGroup group) {
        GroupDecision decision = scheduler.schedule(cluster, group);
        assertThat(decision).isInstanceOf(GroupPlaced.class);
        return (GroupPlaced) decision;
    }

    private Cluster with(Cluster cluster, String node, GpuRequest request) {
        Pod pod = Pod.of("on-" + node, LITTLE, request);
        return cluster.with(
                scheduler.place(cluster.node(node).orElseThrow(), pod).orElseThrow());
    }

    @Test
    void rackWithExactlyTheRoomForAll_comesBeforeRoomierOnes() {
        assertThat(nodes(racks(new int[][] {{8}, {6}, {7}}), inOneRack(gang(6))))
                .containsOnly("r1-n0");
    }

    @Test
    void rackWithRoomForAll_comesBeforeTighterOnesThatHoldTheMinimum() {
        Cluster cluster = racks(new int[][] {{4}, {8}, {5}});
        assertThat(nodes(cluster, inOneRack(gang(6).withMinMember(4)))).containsOnly("r1-n0");
    }

    @Test
    void whereNoRackHoldsAll_theRoomiestIsTaken_andItsRoomIsUsedUp() {
        GroupPlaced placed = placed(racks(new int[][] {{4}, {5}, {3}, {5}}), inOneRack(gang(6).withMinMember(4)));
        assertThat(placed.placements())
                .hasSize(5)
                .allMatch(placement -> placement.node().equals("r1-n0"));
        assertThat(placed.waiting()).containsExactly(PodId.of("m5"));
    }

    @Test
    void rackWithExactlyTheMinimum_isEnough_andOneLessIsNot() {
        PodGroup gang = inOneRack(gang(6).withMinMember(4));
        assertThat(nodes(racks(new int[][] {{3}, {2, 2}}), gang)).hasSize(4).allMatch(node -> node.startsWith("r1"));
        assertThat(scheduler.schedule(racks(new int[][] {{3}, {2, 1}}), gang)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void membersThatTakeNodes_goToTheRackWithTheFewestEmptyNodes_whateverGpusAreIdle() {
        Cluster cluster = racks(new int[][] {{1, 1, 1}, {2, 2, 8, 8}, {1, 1, 1, 1}});
        cluster = with(cluster, "r1-n2", GpuRequest.exclusive(1));
        cluster = with(cluster, "r1-n3", GpuRequest.exclusive(1));
        PodGroup gang = inOneRack(gang(2, GpuRequest.wholeNode()));
        assertThat(nodes(cluster, gang)).containsExactly("r1-n0", "r1-n1");
    }

    @Test
    void membersThatTakeNodes_needAsManyEmptyOnes() {
        Cluster cluster = with(racks(new int[][] {{8, 8, 8}}), "r0-n1", GpuRequest.exclusive(1));
        assertThat(nodes(cluster, inOneRack(gang(2, GpuRequest.wholeNode())))).containsExactly("r0-n0", "r0-n2");
        assertThat(scheduler.schedule(cluster, inOneRack(gang(3, GpuRequest.wholeNode()))))
                .isInstanceOf(Unschedulable.class);
    }

    @Test
    void amongEquallyTightRacks_theBlockWithTheLeastRoomIsTaken_whereverItStands() {
        assertThat(nodes(blocks(new int[][] {{4, 9}, {4}, {4, 5}}), inOneRack(gang(4))))
                .containsOnly("b1-r0");
        assertThat(nodes(blocks(new int[][] {{4, 9}, {4, 5}, {4, 1}}), inOneRack(gang(4))))
                .containsOnly("b2-r0");
        assertThat(nodes(blocks(new int[][] {{4, 1}, {4, 5}, {4, 9}}), inOneRack(gang(4))))
                .containsOnly("b0-r0");
        assertThat(nodes(blocks(new int[][] {{9, 4}, {6, 4, 3}, {4, 7}, {4, 4, 4}}), inOneRack(gang(4))))
                .containsOnly("b2-r0");
    }

    @Test
    void amongEquallyTightRacks_roomierThanNeeded_theBlockDecidesToo() {
        assertThat(nodes(blocks(new int[][] {{5, 9}, {5, 1}, {6}}), inOneRack(gang(4))))
                .containsOnly("b1-r0");
    }

    @Test
    void amongEquallyTightDomains_theNearestWiderOneDecidesFirst() {
        List<Node> nodes = new ArrayList<>();
        int[][][] gpus = {{{4, 6}, {1}}, {{4, 5}, {9}}};
        for (int z = 0; z < 2; z++) {
            for (int b = 0; b < 2; b++) {
                for (int r = 0; r < gpus[z][b].length; r++) {
                    Topology topology = Topology.of("zone", "z" + z, "block", "b" + b, "rack", "r" + r);
                    nodes.add(node("z" + z + "-b" + b + "-r" + r, topology, gpus[z][b][r]));
                }
            }
        }
        // the block of the second has 9 idle GPUs and its zone 18, that of the first 10 and its zone 11
        assertThat(nodes(Cluster.of(nodes), inOneRack(gang(4)))).containsOnly("z1-b0-r0");
    }

    @Test
    void countedMembers_fillTheNodeWithTheFewestIdleGpusFirst_ofEqualOnesTheFirst() {
        Cluster cluster = racks(new int[][] {{4, 2, 3, 2}});
        assertThat(nodes(cluster, gang(6))).containsExactly("r0-n1", "r0-n1", "r0-n3", "r0-n3", "r0-n2", "r0-n2");
    }

    @Test
    void countedMembers_goAsOftenToANodeAsItsCpuAllows_andNotToOneWithoutAny() {
        Topology rack = Topology.of("rack", "r0");
        Cluster cluster = Cluster.of(List.of(
                node("none", rack, 1, 9), node("one", rack, 2, 19), node("two", rack, 3, 20), node("many", rack, 8)));
        assertThat(nodes(cluster, gang(5))).containsExactly("one", "two", "two", "many", "many");
    }

    @Test
    void countedMembers_takeDistinctGpus_andStopWhenAllHaveAPlace() {
        GroupPlaced placed = placed(racks(new int[][] {{4}}), gang(3));
        assertThat(placed.placements().stream().flatMap(placement -> placement.gpus().stream()))
                .containsExactly(0, 1, 2);
    }

    @Test
    void slices_goToTheTightestRacks_andNoFartherThanTheyMust() {
        PodGroup job = gang(8).withSlices(4, "rack");
        assertThat(nodes(racks(new int[][] {{9}, {4}, {7}, {5}}), job))
                .containsExactly("r1-n0", "r1-n0", "r1-n0", "r1-n0", "r3-n0", "r3-n0", "r3-n0", "r3-n0");
    }

    @Test
    void slices_startWhenTheMinimumIsRoundedUpToWholeOnes() {
        PodGroup job = gang(8).withMinMember(5).withSlices(4, "rack");
        assertThat(nodes(racks(new int[][] {{4}, {4}}), job)).hasSize(8);
        assertThat(scheduler.schedule(racks(new int[][] {{7}, {3}}), job)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void slices_ofUnequalPods_areNotCounted() {
        List<Pod> pods = new ArrayList<>(pods("small", 2, GpuRequest.exclusive(1)));
        pods.addAll(pods("large", 2, GpuRequest.exclusive(3)));
        PodGroup job = PodGroup.of("job", pods).withSlices(2, "rack");
        assertThat(nodes(racks(new int[][] {{2}, {3, 3}}), job))
                .containsExactlyInAnyOrder("r0-n0", "r0-n0", "r1-n0", "r1-n1");
        assertThat(scheduler.schedule(racks(new int[][] {{2}, {3, 2}}), job)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void oneNode_isTheOneThatTakesTheMostMembers_thoughAnotherIsTighter() {
        PodGroup gang = onOneNode(gang(5).withMinMember(2));
        assertThat(nodes(racks(new int[][] {{2, 4, 3}}), gang)).hasSize(4).containsOnly("r0-n1");
        assertThat(nodes(racks(new int[][] {{6, 2, 5, 8}}), gang)).hasSize(5).containsOnly("r0-n2");
    }

    @Test
    void oneNode_ofEquallyGoodOnes_isTheFirstInNodeOrder_whateverTaintsTheyHave() {
        Taint taint = Taint.noSchedule("team", "a");
        List<Pod> pods = pods("m", 3, pod -> pod.toleration(Toleration.equal("team", "a")));
        PodGroup gang = onOneNode(PodGroup.of("gang", pods));
        for (String tainted : List.of("a", "b", "c")) {
            List<Node> nodes = new ArrayList<>();
            for (String name : List.of("c", "a", "b")) {
                Node.Builder node = Node.builder(name).capacity(64_000, 64_000).gpus(4, Nodes.BIG);
                nodes.add((name.equals(tainted) ? node.taint(taint) : node).build());
            }
            assertThat(nodes(Cluster.of(nodes), gang)).as("%s tainted", tainted).containsOnly("a");
        }
    }

    @Test
    void oneNode_ofNodesInTheSameState_isTheOneThatLabelsOrUuidsAdmit() {
        List<Node> nodes = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            Node.Builder node = Node.builder(name).capacity(64_000, 64_000).label("name", name);
            for (int g = 0; g < 2; g++) {
                node.gpu(Gpu.of(g, name + "-gpu-" + g, Nodes.BIG));
            }
            nodes.add(node.build());
        }
        List<Pod> labelled = pods("l", 2, pod -> pod.nodeSelector(NodeSelector.labels(Map.of("name", "b"))));
        assertThat(nodes(Cluster.of(nodes), onOneNode(PodGroup.of("gang", labelled))))
                .containsOnly("b");
        GpuSelector ofC = GpuSelector.ANY.withAllowedUuids(Set.of("c-gpu-0", "c-gpu-1"));
        assertThat(nodes(Cluster.of(nodes), onOneNode(gang(2, GpuRequest.exclusive(1, ofC)))))
                .containsOnly("c");
    }

    @Test
    void oneNode_hasToHaveExactlyTheMinimum_orNothingStarts() {
        PodGroup gang = onOneNode(gang(5).withMinMember(3));
        assertThat(nodes(racks(new int[][] {{2, 3}}), gang)).hasSize(3).containsOnly("r0-n1");
        assertThat(scheduler.schedule(racks(new int[][] {{2, 2}}), gang)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void oneNode_forRoles_placesTheMinimumOfEachBeforeOthers() {
        PodGroup gang = new PodGroup(
                "roles",
                3,
                List.of(
                        new PodGroup.Role("many", 1, pods("many", 4, GpuRequest.exclusive(1))),
                        new PodGroup.Role("large", 1, pods("large", 2, GpuRequest.exclusive(2)))),
                Locality.oneNode());
        GroupPlaced placed = placed(racks(new int[][] {{4, 3}}), gang);
        assertThat(placed.placements().stream().map(placement -> placement.pod().name()))
                .containsExactlyInAnyOrder("many0", "large0", "many1");
    }

    @Test
    void oneNode_whereMembersInTheirOrderBlockLargerOnes_startsThemAllTheSame() {
        List<Pod> pods = new ArrayList<>(pods("small", 2, GpuRequest.percent(40)));
        pods.addAll(pods("large", 2, GpuRequest.percent(60)));
        // one by one the two small ones would share a GPU
        PodGroup gang = onOneNode(PodGroup.of("gang", pods));
        assertThat(nodes(racks(new int[][] {{1, 2}}), gang)).hasSize(4).containsOnly("r0-n1");
    }

    @Test
    void oneNode_ofAGroupInAGroup_keepsItsLaterMembersThere() {
        PodGroup close = onOneNode(
                PodGroup.of("close", pods("c", 4, GpuRequest.exclusive(1))).withMinMember(2));
        PodGroup other = PodGroup.of("other", pods("o", 1, GpuRequest.exclusive(2)));
        GroupPlaced placed = placed(racks(new int[][] {{3, 3}}), PodGroup.ofGroups("both", List.of(close, other)));
        assertThat(placed.placements().stream()
                        .filter(placement -> placement.pod().name().startsWith("c"))
                        .map(Placement::node))
                .hasSize(3)
                .containsOnly("r0-n0");
        assertThat(placed.waiting()).containsExactly(PodId.of("c3"));
    }

    @Test
    void countedMembers_goToAdmittedNodesAlone_andOfAllClassesToTheFirstInOrder() {
        List<Node> nodes = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            Node.Builder node = Node.builder("n" + n)
                    .capacity(64_000, 64_000)
                    .label("half", n % 3 == 0 ? "no" : "yes")
                    .gpus(1, n % 2 == 0 ? Nodes.BIG : Nodes.SMALL);
            nodes.add(node.build());
        }
        List<Pod> pods = pods("m", 3, pod -> pod.nodeSelector(NodeSelector.labels(Map.of("half", "yes"))));
        assertThat(nodes(Cluster.of(nodes), PodGroup.of("gang", pods))).containsExactly("n1", "n2", "n4");
        assertThat(nodes(Cluster.of(nodes), gang(3))).containsExactly("n0", "n1", "n2");
    }

    @Test
    void membersUnderAPolicyThatSpreads_areNotPackedByCounting() {
        GroupPlaced placed =
                (GroupPlaced) GpuScheduler.of(Spread.of()).schedule(racks(new int[][] {{2, 2, 2}}), gang(3));
        assertThat(placed.placements().stream().map(Placement::node))
                .containsExactlyInAnyOrder("r0-n0", "r0-n1", "r0-n2");
    }
}
