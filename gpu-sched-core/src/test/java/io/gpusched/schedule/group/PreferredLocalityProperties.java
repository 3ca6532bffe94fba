package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Fact;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RackWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A group is warned of exactly if its members, those that run already among them, are not where it would rather have them. */
class PreferredLocalityProperties {
    @Property(tries = 300)
    void aWarning_countsTheDomains(@ForAll long seed, @ForAll @IntRange(min = 0, max = 5) int running) {
        RackWorld world = new RackWorld(seed);
        PodGroup asked = world.group("g");
        if (!asked.groups().isEmpty()) {
            return;
        }
        Locality locality = Locality.within("rack").preferred();
        PodGroup group = asked.withLocality(locality);
        if (!(GpuScheduler.create().schedule(world.cluster(), group) instanceof GroupPlaced first)) {
            return;
        }
        List<Placement> some = first.placements()
                .subList(0, Math.min(running, first.placements().size()));
        assertWarned(world.cluster(), group, first, locality);
        Cluster now = world.cluster().withAll(some);
        PodGroup rest = PodGroup.of("h", world.group("h").pods()).withMinMember(1);
        PodGroup more = new PodGroup("g", 1, rest.roles(), locality);
        if (GpuScheduler.create().schedule(now, more) instanceof GroupPlaced second) {
            assertWarned(now, more, second, locality);
        }
    }

    private static void assertWarned(Cluster cluster, PodGroup group, GroupPlaced placed, Locality locality) {
        assertThat(Verifier.create().check(cluster, group, placed)).isEmpty();
        GroupMembership membership = GroupMembership.of(group.name(), locality);
        Cluster after = cluster.withAll(placed.placements());
        Set<Topology> racks = after.placements().stream()
                .filter(one -> one.group().equals(java.util.Optional.of(membership)))
                .map(one ->
                        after.node(one.node()).orElseThrow().node().topology().upTo("rack"))
                .collect(Collectors.toSet());
        assertThat(placed.warnings())
                .isEqualTo(racks.size() > 1 ? List.of(new Fact.Elsewhere(membership, racks.size())) : List.of());
    }
}
