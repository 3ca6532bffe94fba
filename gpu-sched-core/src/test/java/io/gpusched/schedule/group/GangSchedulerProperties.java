package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GangSchedulerProperties {
    private static final List<PlacementPolicy> POLICIES = List.of(BinPack.of(), FirstFit.of(), Spread.of());

    private static GpuScheduler scheduler(long seed) {
        return GpuScheduler.of(POLICIES.get((int) Math.floorMod(seed, (long) POLICIES.size())));
    }

    @Property(tries = 1500)
    void schedule_smallWorld_startsExactlyWhenALegalPlacementOfTheMinimumExists(@ForAll long seed) {
        SmallWorld world = SmallWorld.withChoices(seed);
        Cluster cluster = world.cluster(4);
        PodGroup group = world.group(4);

        GroupDecision decision = scheduler(seed).schedule(cluster, group);

        assertThat(Verifier.create().check(cluster, group, decision)).isEmpty();
        assertThat(decision.isPlaced())
                .as("%s on %s: %s", group, cluster.nodes(), decision)
                .isEqualTo(BruteForce.canStart(cluster, group));
        if (decision instanceof Unschedulable no) {
            assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
        }
    }

    @Property(tries = 1500)
    void schedule_placedGroup_isLegalCompleteAndClose(@ForAll long seed) {
        SmallWorld world = SmallWorld.withChoices(seed);
        Cluster cluster = world.cluster(6);
        PodGroup group = world.group(8);

        GroupDecision decision = scheduler(seed).schedule(cluster, group);

        assertThat(scheduler(seed).schedule(cluster, group).toString()).isEqualTo(decision.toString());
        if (decision instanceof GroupPlaced placed) {
            cluster.withAll(placed.placements()).validate();
            assertMembers(group, placed);
            assertMinimum(group, placed);
            assertAdmitted(cluster, group, placed);
            if (group.locality().required()) {
                assertClose(cluster, group, placed);
            }
            assertNoneWaitsInVain(cluster, group, placed);
        }
    }

    private static void assertMembers(PodGroup group, GroupPlaced placed) {
        List<PodId> all = new ArrayList<>(placed.waiting());
        placed.placements().forEach(placement -> all.add(placement.pod()));
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        group.pods().stream().map(Pod::id).toList());
    }

    private static void assertMinimum(PodGroup group, GroupPlaced placed) {
        assertThat(placed.placements().size()).isGreaterThanOrEqualTo(group.minMember());
        Set<PodId> started = new HashSet<>();
        placed.placements().forEach(placement -> started.add(placement.pod()));
        for (PodGroup.Role role : group.roles()) {
            assertThat(role.pods().stream().filter(pod -> started.contains(pod.id())))
                    .hasSizeGreaterThanOrEqualTo(role.minMember());
        }
    }

    private static void assertAdmitted(Cluster cluster, PodGroup group, GroupPlaced placed) {
        for (Placement placement : placed.placements()) {
            NodeState node = cluster.node(placement.node()).orElseThrow();
            Pod pod = pod(group, placement.pod());
            assertThat(BruteForce.isAdmitted(node, pod)).isTrue();
            assertThat(node.node().cordoned()).isFalse();
        }
    }

    private static Pod pod(PodGroup group, PodId id) {
        return group.pods().stream()
                .filter(pod -> pod.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void assertClose(Cluster cluster, PodGroup group, GroupPlaced placed) {
        List<NodeState> nodes = placed.placements().stream()
                .map(placement -> cluster.node(placement.node()).orElseThrow())
                .distinct()
                .toList();
        switch (group.locality().scope()) {
            case ANYWHERE -> {}
            case NODE -> assertThat(nodes).hasSize(1);
            case DOMAIN ->
                assertThat(nodes)
                        .extracting(node -> node.node().topology().upTo("rack").toString())
                        .doesNotContain("nowhere")
                        .containsOnly(
                                nodes.get(0).node().topology().upTo("rack").toString());
        }
    }

    /** A member that waits has no room left where the group may go; anywhere, if locality is only preferred. */
    private static void assertNoneWaitsInVain(Cluster cluster, PodGroup group, GroupPlaced placed) {
        Cluster after = cluster.withAll(placed.placements());
        Locality locality = group.locality();
        boolean anywhere = !locality.required() || locality.scope() == Locality.Scope.ANYWHERE;
        for (PodId id : placed.waiting()) {
            for (NodeState node : after.nodes()) {
                if (anywhere
                        || node.node().name().equals(placed.placements().get(0).node())) {
                    assertThat(BruteForce.ways(node, pod(group, id)))
                            .as("%s on %s", id, node)
                            .isEmpty();
                }
            }
        }
    }

    @Property(tries = 300)
    void schedule_equalMembers_sameAsOneByOne(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(30);
        Pod pattern = world.pod();
        List<Pod> pods = IntStream.range(0, 20)
                .mapToObj(i -> pattern.withId(PodId.of("m" + i)))
                .toList();
        PodGroup group = PodGroup.of("equal", pods).withMinMember(1);

        GroupDecision decision = scheduler(seed).schedule(cluster, group);

        List<Placement> expected = new ArrayList<>();
        Cluster now = cluster;
        for (Pod pod : pods) {
            Decision one = scheduler(seed).schedule(now, pod);
            if (one instanceof Placed placed) {
                expected.add(placed.placement());
                now = now.with(placed.placement());
            }
        }
        List<Placement> members = decision instanceof GroupPlaced placed ? placed.placements() : List.of();
        assertThat(members)
                .extracting(placement -> placement.withGroup(Optional.empty()))
                .isEqualTo(expected);
    }

    @Property(tries = 500)
    void diagnosis_refusedGroup_coversEveryNodeAndNamesARemedy(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(4);
        PodGroup group = world.group(4);

        if (scheduler(seed).schedule(cluster, group) instanceof Unschedulable no) {
            Diagnosis diagnosis = no.diagnosis();
            assertThat(diagnosis.nodes()).isEqualTo(cluster.size());
            assertThat(diagnosis.remedy().changes()).isNotEmpty();
            assertThat(diagnosis.toString()).isEqualTo(no.diagnosis().toString());
        }
    }
}
