package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RuledPlaces;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Groups of pods with rules between them against all orders and places, on random small clusters. */
class RuledGroupProperties {
    /** Nodes on which as many pods run as found a place. */
    private static Cluster used(RuledWorld world, int pods) {
        Cluster cluster = world.cluster(4);
        for (int i = 0; i < pods; i++) {
            Decision running = GpuScheduler.create().schedule(cluster, world.pod());
            cluster = running instanceof Placed placed ? cluster.with(placed.placement()) : cluster;
        }
        return cluster;
    }

    /** Two pods, equal but for their names or not. */
    private static List<Pod> two(RuledWorld world) {
        Pod first = world.pod();
        return List.of(first, world.oneIn(2) ? first.withId(world.pod().id()) : world.pod());
    }

    /** A group with rules between its pods may be refused though it can start, but then the refusal is not called proven. */
    private static void assertHonest(Cluster cluster, List<Pod> pods, GroupDecision decision, boolean canStart) {
        if (decision instanceof Unschedulable refusal) {
            assertThat(refusal.certainty() == Certainty.PROVEN && canStart)
                    .as("%s on %s", pods, cluster.nodes())
                    .isFalse();
        } else {
            assertThat(canStart).as("%s on %s", pods, cluster.nodes()).isTrue();
        }
    }

    /** Whether all pods are placed by asking for one after the other, and again for those that had no place. */
    private static boolean startsMemberByMember(Cluster cluster, List<Pod> pods) {
        Cluster now = cluster;
        List<Pod> left = new ArrayList<>(pods);
        int before;
        do {
            before = left.size();
            for (Pod pod : List.copyOf(left)) {
                if (GpuScheduler.create().schedule(now, pod) instanceof Placed placed) {
                    now = now.with(placed.placement());
                    left.remove(pod);
                }
            }
        } while (left.size() < before);
        return left.isEmpty();
    }

    private static List<Pod> plus(List<Pod> pods, Pod more) {
        return Stream.concat(pods.stream(), Stream.of(more)).toList();
    }

    @Property(tries = 80)
    void aGroupStartsWhereItsMembersDoOneByOne_andIsNeverWronglyProvenImpossible(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = used(world, 3);
        List<Pod> pods = plus(two(world), world.pod());
        GroupDecision decision = GpuScheduler.create().schedule(cluster, PodGroup.of("g", pods));
        assertThat(Verifier.create().check(cluster, PodGroup.of("g", pods), decision))
                .isEmpty();
        assertHonest(cluster, pods, decision, RuledPlaces.canStart(cluster, pods));
        if (startsMemberByMember(cluster, pods)) {
            assertThat(decision.isPlaced())
                    .as("%s on %s", pods, cluster.nodes())
                    .isTrue();
        }
        if (decision instanceof GroupPlaced group) {
            Cluster now = cluster;
            for (Placement placement : group.placements()) {
                Pod member = Pod.of(placement).orElseThrow();
                assertThat(RuledPlaces.legal(now, member)).contains(placement.node());
                now = now.with(placement);
            }
        }
    }

    @Property(tries = 300)
    void aTreeOfGroups_isNeverWronglyProvenImpossible(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = used(world, 1);
        List<Pod> left = two(world);
        List<Pod> right = List.of(world.pod());
        List<Pod> all = plus(left, right.get(0));
        boolean needsBoth = world.oneIn(2);
        PodGroup tree = PodGroup.ofGroups("g", List.of(PodGroup.of("left", left), PodGroup.of("right", right)))
                .withMinMember(1)
                .withMinGroups(needsBoth ? 2 : 1);

        GroupDecision decision = GpuScheduler.create().schedule(cluster, tree);
        assertThat(Verifier.create().check(cluster, tree, decision)).isEmpty();

        boolean expected = RuledPlaces.canStart(cluster, all)
                || !needsBoth && (RuledPlaces.canStart(cluster, left) || RuledPlaces.canStart(cluster, right));
        assertHonest(cluster, all, decision, expected);
        if (decision instanceof GroupPlaced group) {
            assertThat(RuledPlaces.canStart(cluster, members(all, group))).isTrue();
            cluster.withAll(group.placements()).validate();
        }
    }

    private static List<Pod> members(List<Pod> pods, GroupPlaced group) {
        return pods.stream()
                .filter(pod -> group.placements().stream().anyMatch(placement -> placement.isOf(pod.id())))
                .toList();
    }

    @Property(tries = 400)
    void aGroupThatMustStayTogether_isNeverWronglyProvenImpossible(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = used(world, 1);
        List<Pod> pods = plus(two(world), world.pod());
        int least = world.oneIn(2) ? 3 : world.oneIn(2) ? 2 : 1;
        boolean onOneNode = world.oneIn(2);
        PodGroup group = PodGroup.of("g", pods)
                .withMinMember(least)
                .withLocality(onOneNode ? Locality.oneNode() : Locality.within(RuledWorld.LEVEL));

        GroupDecision decision = GpuScheduler.create().schedule(cluster, group);
        assertThat(Verifier.create().check(cluster, group, decision)).isEmpty();

        assertHonest(cluster, pods, decision, canStart(cluster, pods, least, onOneNode));
        if (decision instanceof GroupPlaced placed) {
            assertThat(placed.placements()).hasSizeGreaterThanOrEqualTo(least);
            NodeState anchor = cluster.node(placed.placements().get(0).node()).orElseThrow();
            Cluster now = cluster;
            for (Placement next : placed.placements()) {
                NodeState node = now.node(next.node()).orElseThrow();
                assertThat(isTogether(anchor, node, onOneNode)).isTrue();
                assertThat(RuledPlaces.legal(now, Pod.of(next).orElseThrow())).contains(next.node());
                now = now.with(next);
            }
        }
    }

    private static boolean canStart(Cluster cluster, List<Pod> pods, int least, boolean onOneNode) {
        for (NodeState anchor : cluster.nodes()) {
            for (int chosen = 1; chosen < 1 << pods.size(); chosen++) {
                List<Pod> some = new ArrayList<>();
                for (int i = 0; i < pods.size(); i++) {
                    if ((chosen >>> i & 1) != 0) {
                        some.add(pods.get(i));
                    }
                }
                if (some.size() >= least
                        && RuledPlaces.canStart(cluster, some, node -> isTogether(anchor, node, onOneNode))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether members may be on both nodes; a node without the level is in no domain. */
    private static boolean isTogether(NodeState anchor, NodeState node, boolean onOneNode) {
        if (onOneNode) {
            return anchor.name().equals(node.name());
        }
        Topology domain = anchor.node().topology();
        return !domain.domains().isEmpty() && domain.equals(node.node().topology());
    }
}
