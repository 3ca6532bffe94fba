package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GroupTreeTest {
    /** Blocks of racks of nodes of so many GPUs: {@code gpus[block][rack][node]}. */
    private static Cluster cluster(int[][][] gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int b = 0; b < gpus.length; b++) {
            for (int r = 0; r < gpus[b].length; r++) {
                for (int n = 0; n < gpus[b][r].length; n++) {
                    nodes.add(Node.builder("b" + b + "-r" + r + "-n" + n)
                            .capacity(64_000, 64_000)
                            .topology(Topology.of("block", "b" + b, "rack", "r" + r))
                            .gpus(gpus[b][r][n], Nodes.BIG)
                            .build());
                }
            }
        }
        return Cluster.of(nodes);
    }

    private static List<Pod> pods(String prefix, int count, int gpus) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(Pod.of(prefix + i, Resources.of(10, 10), GpuRequest.exclusive(gpus)));
        }
        return pods;
    }

    private static List<String> nodes(GroupDecision decision) {
        assertThat(decision).isInstanceOf(GroupPlaced.class);
        return ((GroupPlaced) decision)
                .placements().stream().map(Placement::node).toList();
    }

    @Test
    void slices_standInOneRackEach_andAllInOneBlock() {
        Cluster cluster = cluster(new int[][][] {{{2, 2}, {3}}, {{4}, {2, 2}, {1}}});
        PodGroup job = PodGroup.of("job", pods("p", 8, 1)).withSlices(4, "rack").withLocality(Locality.within("block"));
        assertThat(nodes(GpuScheduler.create().schedule(cluster, job)))
                .containsExactly(
                        "b1-r0-n0", "b1-r0-n0", "b1-r0-n0", "b1-r0-n0", "b1-r1-n0", "b1-r1-n0", "b1-r1-n1", "b1-r1-n1");
        PodGroup larger =
                PodGroup.of("job", pods("p", 12, 1)).withSlices(4, "rack").withLocality(Locality.within("block"));
        Unschedulable refusal = (Unschedulable) GpuScheduler.create().schedule(cluster, larger);
        assertThat(refusal.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(refusal.diagnosis().nodes()).isEqualTo(cluster.size());
        assertThat(nodes(GpuScheduler.create().schedule(cluster, larger.withLocality(Locality.ANYWHERE))))
                .hasSize(12);
    }

    @Test
    void slices_beyondTheMinimum_startWhereTheyFit() {
        Cluster cluster = cluster(new int[][][] {{{4}, {4}, {3}}});
        PodGroup job = PodGroup.of("job", pods("p", 12, 1)).withMinMember(4).withSlices(4, "rack");
        GroupPlaced placed = (GroupPlaced) GpuScheduler.create().schedule(cluster, job);
        assertThat(placed.placements()).hasSize(8);
        assertThat(placed.waiting()).hasSize(4);
    }

    @Test
    void amongEquallyTightRacks_theOneInTheFullerBlockIsTaken() {
        Cluster cluster = cluster(new int[][][] {{{4}, {4}, {4}}, {{4}, {4}}});
        PodGroup job = PodGroup.of("job", pods("p", 4, 1)).withLocality(Locality.within("rack"));
        assertThat(nodes(GpuScheduler.create().schedule(cluster, job))).containsOnly("b1-r0-n0");
    }

    @Test
    void groupsInAGroup_startInTheirOwnDomains_orTheRequiredNumberOfThem() {
        Cluster cluster = cluster(new int[][][] {{{2}, {2}, {1}}});
        List<PodGroup> replicas = List.of(
                PodGroup.of("a", pods("a", 2, 1)).withLocality(Locality.within("rack")),
                PodGroup.of("b", pods("b", 2, 1)).withLocality(Locality.within("rack")),
                PodGroup.of("c", pods("c", 2, 1)).withLocality(Locality.within("rack")));
        PodGroup all = PodGroup.ofGroups("serving", replicas);
        assertThat(GpuScheduler.create().schedule(cluster, all).isPlaced()).isFalse();
        GroupPlaced two = (GroupPlaced)
                GpuScheduler.create().schedule(cluster, all.withMinMember(1).withMinGroups(2));
        assertThat(two.placements()).hasSize(4);
        assertThat(two.waiting()).extracting(Object::toString).containsExactly("c0", "c1");
    }

    @Test
    void requiredAndPreferredLevels_areAGroupInAGroup() {
        Cluster cluster = cluster(new int[][][] {{{2}, {2}}, {{1}, {4}}});
        PodGroup inner = PodGroup.of("inner", pods("p", 4, 1))
                .withLocality(Locality.within("rack").preferred());
        PodGroup outer = PodGroup.ofGroups("outer", List.of(inner)).withLocality(Locality.within("block"));
        assertThat(nodes(GpuScheduler.create().schedule(cluster, outer)))
                .as("the tightest block that has room, its racks as close as they go")
                .containsExactlyInAnyOrder("b0-r0-n0", "b0-r0-n0", "b0-r1-n0", "b0-r1-n0");
    }

    @Test
    void aLevelThatIsNotThere_isSaidByName() {
        Cluster cluster = cluster(new int[][][] {{{2}, {2}}});
        PodGroup job = PodGroup.of("job", pods("p", 4, 1)).withSlices(2, "nvlink");
        Unschedulable refusal = (Unschedulable) GpuScheduler.create().schedule(cluster, job);
        assertThat(refusal.diagnosis().toString())
                .contains("no node has the topology level \"nvlink\"")
                .contains("known here are block, rack");
    }

    @Test
    void nodesWithoutTheLevel_areSaidByName_andSoIsTheGroupWithoutRoom() {
        List<Node> nodes = new ArrayList<>(cluster(new int[][][] {{{2}}}).nodes().stream()
                .map(state -> state.node())
                .toList());
        nodes.add(Node.builder("stray")
                .capacity(64_000, 64_000)
                .gpus(8, Nodes.BIG)
                .build());
        PodGroup rack = PodGroup.of("a", pods("a", 4, 1)).withLocality(Locality.within("rack"));
        PodGroup all = PodGroup.ofGroups("all", List.of(rack));
        Unschedulable refusal = (Unschedulable) GpuScheduler.create().schedule(Cluster.of(nodes), all);
        assertThat(refusal.diagnosis().toString())
                .startsWith("pod group \"all\", group \"a\"")
                .contains("1 node: no topology level \"rack\"; the group must stay in one of its domains");
        assertThat(refusal.diagnosis().reasons())
                .anySatisfy(reason -> assertThat(reason.nodeNames()).containsExactly("stray"));
    }

    @Test
    void groups_thatMakeNoSense_areRefusedByName() {
        PodGroup job = PodGroup.of("job", pods("p", 4, 1));
        assertThatThrownBy(() -> job.withSlices(3, "rack"))
                .hasMessageContaining("size of a slice must divide the number of members, 4, got 3");
        assertThatThrownBy(() -> job.withSlices(0, "rack"))
                .hasMessageContaining("size of a slice must be in 1..4, got 0");
        assertThatThrownBy(() -> job.withMinGroups(1)).hasMessageContaining("minGroups must be in 0..0, got 1");
        assertThatThrownBy(() -> PodGroup.ofGroups("both", List.of(job, job)))
                .hasMessageContaining("two groups have the name");
        PodGroup other = PodGroup.of("other", pods("p", 1, 1));
        assertThatThrownBy(() -> PodGroup.ofGroups("both", List.of(job, other))).hasMessageContaining("occurs twice");
    }

    private static Cluster random(Random random) {
        int[][][] gpus = new int[1 + random.nextInt(2)][][];
        for (int b = 0; b < gpus.length; b++) {
            gpus[b] = new int[1 + random.nextInt(2)][];
            for (int r = 0; r < gpus[b].length; r++) {
                gpus[b][r] = new int[1];
                gpus[b][r][0] = random.nextInt(5);
            }
        }
        return cluster(gpus);
    }

    private static Locality locality(Random random) {
        Locality locality = random.nextInt(3) == 0 ? Locality.within("block") : Locality.within("rack");
        return random.nextInt(3) == 0 ? Locality.ANYWHERE : random.nextInt(4) == 0 ? locality.preferred() : locality;
    }

    private static PodGroup tree(Random random) {
        List<PodGroup> children = new ArrayList<>();
        int pods = 0;
        for (int c = 0; c < 1 + random.nextInt(2); c++) {
            int size = 1 + random.nextInt(2);
            pods += size;
            children.add(PodGroup.of("g" + c, pods("g" + c + "-", size, 1 + random.nextInt(2)))
                    .withMinMember(1 + random.nextInt(size))
                    .withLocality(locality(random)));
        }
        List<PodGroup.Role> roles = new ArrayList<>();
        if (random.nextInt(2) == 0) {
            roles.add(new PodGroup.Role("own", random.nextInt(2), pods("own-", 1, 1 + random.nextInt(2))));
            pods++;
        }
        int least = random.nextInt(children.size() + 1);
        return new PodGroup("root", 1 + random.nextInt(pods), roles, locality(random), children, least);
    }

    /** Whether pods that stand on these nodes are a legal start of a group. */
    private static boolean isLegal(Cluster cluster, PodGroup group, Map<String, String> nodes) {
        int placed = 0;
        Set<Object> places = new HashSet<>();
        for (Pod pod : group.pods()) {
            String node = nodes.get(pod.id().toString());
            if (node != null) {
                placed++;
                Topology topology = cluster.node(node).orElseThrow().node().topology();
                places.add(topology.upTo(group.locality().level()));
            }
        }
        boolean close = group.locality().scope() != Locality.Scope.DOMAIN
                || !group.locality().required()
                || places.size() <= 1;
        int started = 0;
        for (PodGroup child : group.groups()) {
            boolean absent = child.pods().stream()
                    .noneMatch(pod -> nodes.containsKey(pod.id().toString()));
            if (!absent && !isLegal(cluster, child, nodes)) {
                return false;
            }
            started += absent ? 0 : 1;
        }
        for (PodGroup.Role role : group.roles()) {
            long there = role.pods().stream()
                    .filter(pod -> nodes.containsKey(pod.id().toString()))
                    .count();
            if (there < role.minMember()) {
                return false;
            }
        }
        return close && placed >= group.minMember() && started >= group.minGroups();
    }

    /** Whether any way to put pods on nodes, or leave them out, is a legal start. */
    private static boolean canStart(
            Cluster cluster, PodGroup group, List<Pod> left, Map<String, String> nodes, int[] idle) {
        if (left.isEmpty()) {
            return isLegal(cluster, group, nodes);
        }
        Pod pod = left.get(0);
        List<Pod> rest = left.subList(1, left.size());
        int gpus = pod.containers().get(0).gpu().count();
        for (int n = 0; n < idle.length; n++) {
            if (idle[n] >= gpus) {
                idle[n] -= gpus;
                nodes.put(pod.id().toString(), cluster.node(n).name());
                boolean can = canStart(cluster, group, rest, nodes, idle);
                nodes.remove(pod.id().toString());
                idle[n] += gpus;
                if (can) {
                    return true;
                }
            }
        }
        return canStart(cluster, group, rest, nodes, idle);
    }

    private static boolean canStart(Cluster cluster, PodGroup group) {
        int[] idle = cluster.nodes().stream().mapToInt(node -> node.idleGpus()).toArray();
        return canStart(cluster, group, group.pods(), new HashMap<>(), idle);
    }

    private static void assertLegal(Cluster cluster, PodGroup group, GroupPlaced placed) {
        cluster.withAll(placed.placements()).validate();
        Map<String, String> nodes = new HashMap<>();
        placed.placements().forEach(placement -> nodes.put(placement.pod().toString(), placement.node()));
        assertThat(isLegal(cluster, group, nodes)).as("%s: %s", group, nodes).isTrue();
        assertThat(placed.placements().size() + placed.waiting().size())
                .isEqualTo(group.pods().size());
    }

    @Property(tries = 600)
    void trees_startLegally_andAreRefusedWithProofOnlyWhereNoWayExists(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = random(random);
        PodGroup group = tree(random);
        GroupDecision decision = GpuScheduler.create().schedule(cluster, group);
        if (decision instanceof GroupPlaced placed) {
            assertLegal(cluster, group, placed);
        } else {
            Unschedulable refusal = (Unschedulable) decision;
            assertThat(refusal.certainty() == Certainty.PROVEN && canStart(cluster, group))
                    .isFalse();
            assertThat(refusal.diagnosis().reasons()).isNotEmpty();
        }
        assertThat(GpuScheduler.create().schedule(cluster, group).toString()).isEqualTo(decision.toString());
    }

    @Test
    void groupsInAGroup_goToCordonedNodes_whereTheirMembersTolerateThat() {
        Cluster cluster = cluster(new int[][][] {{{2}}}).withCordoned("b0-r0-n0", true);
        List<Pod> pods = new ArrayList<>();
        pods("p", 2, 1)
                .forEach(pod -> pods.add(
                        new Pod(pod.id(), pod.containers(), pod.nodeSelector(), List.of(Toleration.everything()))));
        PodGroup flat = PodGroup.of("all", pods);
        List<PodGroup> each = List.of(PodGroup.of("a", pods.subList(0, 1)), PodGroup.of("b", pods.subList(1, 2)));
        for (PodGroup group : List.of(
                flat,
                PodGroup.ofGroups("g", each),
                PodGroup.ofGroups("g", each).withLocality(Locality.oneNode()),
                flat.withSlices(2, "rack"),
                flat.withSlices(1, "rack").withLocality(Locality.within("block")))) {
            assertThat(nodes(GpuScheduler.create().schedule(cluster, group))).hasSize(2);
        }
    }

    @Test
    @Timeout(60)
    void sixteenLevels_eachWithPlacesToTry_areRefusedWithinTheBudget() {
        int[][][] gpus = new int[5][20][2];
        for (int[][] block : gpus) {
            for (int[] rack : block) {
                Arrays.fill(rack, 8);
            }
        }
        List<Pod> pods = List.of(
                Pod.of("a", Resources.of(40_000, 1), GpuRequest.exclusive(1)),
                Pod.of("b", Resources.of(40_000, 1), GpuRequest.exclusive(1)));
        PodGroup group = PodGroup.of("0", pods).withLocality(Locality.oneNode());
        for (int level = 1; level < 16; level++) {
            Locality near = Locality.within(level % 2 == 0 ? "block" : "rack").preferred();
            group = PodGroup.ofGroups("" + level, List.of(group)).withLocality(near);
        }
        assertThat(GpuScheduler.create().schedule(cluster(gpus), group).isPlaced())
                .isFalse();
    }

    @Test
    void groupOfGroups_thatCanNeverStart_couldNotFitLater() {
        Cluster cluster = cluster(new int[][][] {{{1}, {1}}});
        cluster = cluster.withCordoned("b0-r0-n0", true).withCordoned("b0-r1-n0", true);
        PodGroup slices = PodGroup.of("job", pods("p", 2, 1)).withSlices(2, "rack");

        Unschedulable never = (Unschedulable) GpuScheduler.create().schedule(cluster, slices);
        Unschedulable later = (Unschedulable) GpuScheduler.create()
                .schedule(cluster, PodGroup.of("job", pods("p", 2, 1)).withSlices(1, "rack"));

        assertThat(never.couldFitLater()).isFalse();
        assertThat(later.couldFitLater()).isTrue();
    }

    @Property(tries = 600)
    void slices_startExactlyWhenALegalPlacementExists(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = random(random);
        int size = 1 + random.nextInt(2);
        int slices = 1 + random.nextInt(6 / size / 2 + 1);
        PodGroup group = PodGroup.of("job", pods("p", size * slices, 1 + random.nextInt(2)))
                .withMinMember(1 + random.nextInt(size * slices))
                .withSlices(size, random.nextBoolean() ? "rack" : "block")
                .withLocality(random.nextBoolean() ? Locality.ANYWHERE : Locality.within("block"));
        GroupDecision decision = GpuScheduler.create().schedule(cluster, group);
        assertThat(decision.isPlaced()).as("%s on %s", group, cluster.nodes()).isEqualTo(canStart(cluster, group));
        if (decision instanceof GroupPlaced placed) {
            assertLegal(cluster, group, placed);
        } else {
            assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
        }
    }
}
