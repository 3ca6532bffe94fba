package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.PartitionGroupWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Groups of which members ask for partitions, among parts and whole GPUs, against every way there is to place them. */
class PartitionGroupProperties {
    private static GpuScheduler scheduler(long seed, PodGroup group) {
        List<PlacementPolicy> policies =
                List.of(BinPack.of(), FirstFit.of(), Spread.of(), LookAhead.of(WorkloadProfile.of(group.pods())));
        return GpuScheduler.of(policies.get((int) Math.floorMod(seed, (long) policies.size())));
    }

    @Property(tries = 400)
    void groupStarts_exactlyWhenItsMinimumFitsAtAnyPlaces(@ForAll long seed) {
        PartitionGroupWorld world = new PartitionGroupWorld(seed);
        Cluster cluster = world.cluster();
        PodGroup group = world.group();

        GroupDecision decision = scheduler(seed, group).schedule(cluster, group);

        assertThat(Verifier.create().check(cluster, group, decision)).isEmpty();
        assertThat(decision.isPlaced())
                .as("%s on %s: %s", group, cluster.nodes(), decision)
                .isEqualTo(BruteForce.canStart(cluster, group));
        if (decision instanceof GroupPlaced placed) {
            assertLegal(cluster, group, placed);
        }
    }

    @Example
    void refusalsOnSmallClusters_areProven() {
        for (long seed = 0; seed < 400; seed++) {
            assertProven(seed);
        }
    }

    /** Worlds in which a search that tells equally useful places apart, or knows no bounds, takes more than the usual budget. */
    @Example
    void refusalsThatTakeLong_areProven() {
        long[] seeds = {7909, 17144, 19168, 19787, 28349, 28409, 28640, 28773, 31078, 36077, 37857, 44511};
        for (long seed : seeds) {
            assertThat(assertProven(seed)).as("seed %s is refused", seed).isTrue();
        }
    }

    /** Asserts that a refusal, if it is one, is proven; returns whether it is one. */
    private static boolean assertProven(long seed) {
        PartitionGroupWorld world = new PartitionGroupWorld(seed);
        Cluster cluster = world.cluster();
        PodGroup group = world.group();
        if (scheduler(seed, group).schedule(cluster, group) instanceof Unschedulable no) {
            assertThat(no.certainty()).as("seed %s", seed).isEqualTo(Certainty.PROVEN);
            return true;
        }
        return false;
    }

    private static void assertLegal(Cluster cluster, PodGroup group, GroupPlaced placed) {
        Cluster after = cluster.withAll(placed.placements());
        after.validate();
        PodGroup started = only(group, placed.placements());
        assertThat(started.pods()).hasSize(placed.placements().size()).hasSizeGreaterThanOrEqualTo(group.minMember());
        assertThat(placed.waiting())
                .hasSize(group.pods().size() - started.pods().size());
        for (int role = 0; role < group.roles().size(); role++) {
            assertThat(started.roles().get(role).pods())
                    .hasSizeGreaterThanOrEqualTo(group.roles().get(role).minMember());
        }
        assertAsked(cluster, started, placed.placements());
        if (group.locality().required()) {
            assertClose(cluster, group.locality(), placed.placements());
        }
    }

    /** Each member got what it asks for, at a place that was legal beside those before it. */
    private static void assertAsked(Cluster cluster, PodGroup started, List<Placement> placements) {
        Cluster now = cluster;
        for (Placement placement : placements) {
            Pod pod = started.pods().stream()
                    .filter(member -> member.id().equals(placement.pod()))
                    .findFirst()
                    .orElseThrow();
            NodeState before = now.node(placement.node()).orElseThrow();
            assertThat(BruteForce.ways(before, pod))
                    .as("%s on %s", placement, before)
                    .contains(before.with(placement.withGroup(Optional.empty())));
            now = now.with(placement);
        }
    }

    /** The group without the members that wait. */
    private static PodGroup only(PodGroup group, List<Placement> placements) {
        Set<Object> ids = placements.stream().map(Placement::pod).collect(Collectors.toSet());
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        0,
                        role.pods().stream()
                                .filter(pod -> ids.contains(pod.id()))
                                .toList()))
                .toList();
        return new PodGroup(group.name(), 1, roles, group.locality());
    }

    private static void assertClose(Cluster cluster, Locality locality, List<Placement> placements) {
        Set<String> places = placements.stream()
                .map(placement -> switch (locality.scope()) {
                    case ANYWHERE -> "anywhere";
                    case NODE -> placement.node();
                    case DOMAIN ->
                        cluster.node(placement.node())
                                .orElseThrow()
                                .node()
                                .topology()
                                .upTo(locality.level())
                                .toString();
                })
                .collect(Collectors.toSet());
        assertThat(places).hasSize(1).doesNotContain("nowhere");
    }
}
