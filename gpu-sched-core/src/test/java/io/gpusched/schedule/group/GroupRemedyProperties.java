package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.PartitionGroupWorld;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Locality;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;

/** Of the changes that a group's remedy names, all are needed, and together they are enough. */
class GroupRemedyProperties {
    private static final Set<Kind> EXACT =
            EnumSet.of(Kind.UNCORDON, Kind.REPAIR_GPU, Kind.RELEASE_POD, Kind.EMPTY_NODE, Kind.SPREAD_GROUP);

    private static Cluster changed(Cluster cluster, List<Change> changes) {
        Cluster changed = cluster;
        for (Change change : changes) {
            changed = switch (change.kind()) {
                case UNCORDON -> changed.withCordoned(change.node(), false);
                case REPAIR_GPU -> changed.withGpuHealth(change.node(), change.gpu(), true);
                case RELEASE_POD -> changed.without(PodId.of(change.what()));
                case EMPTY_NODE -> emptied(changed, change.node());
                default -> changed;
            };
        }
        return changed;
    }

    private static Cluster emptied(Cluster cluster, String node) {
        Cluster emptied = cluster;
        for (Placement placement : cluster.node(node).orElseThrow().placements()) {
            emptied = emptied.without(placement);
        }
        return emptied;
    }

    private static boolean starts(PlacementPolicy policy, Cluster cluster, PodGroup group, List<Change> changes) {
        boolean spread = changes.stream().anyMatch(change -> change.kind() == Kind.SPREAD_GROUP);
        PodGroup asking = spread ? group.withLocality(Locality.ANYWHERE) : group;
        return GpuScheduler.of(policy)
                .schedule(changed(cluster, changes), asking)
                .isPlaced();
    }

    @Example
    void changesOfARemedy_areEnough_andNoneCanBeLeftOut() {
        int several = 0;
        for (long seed = 0; seed < 600; seed++) {
            PartitionGroupWorld world = new PartitionGroupWorld(seed);
            Cluster cluster = world.cluster();
            PodGroup group = world.group();
            PlacementPolicy policy = seed % 2 == 0 ? BinPack.of() : Spread.of();
            if (!(GpuScheduler.of(policy).schedule(cluster, group) instanceof Unschedulable no)) {
                continue;
            }
            List<Change> changes = no.diagnosis().remedy().changes();
            if (changes.isEmpty() || !changes.stream().allMatch(change -> EXACT.contains(change.kind()))) {
                continue;
            }
            assertThat(starts(policy, cluster, group, changes))
                    .as("seed %s: %s", seed, changes)
                    .isTrue();
            several += changes.size() > 1 ? 1 : 0;
            for (int left = 0; changes.size() > 1 && left < changes.size(); left++) {
                List<Change> fewer = new ArrayList<>(changes);
                fewer.remove(left);
                assertThat(starts(policy, cluster, group, fewer))
                        .as("seed %s: %s without %s", seed, changes, changes.get(left))
                        .isFalse();
            }
        }
        assertThat(several).as("remedies of several changes").isGreaterThan(20);
    }
}
