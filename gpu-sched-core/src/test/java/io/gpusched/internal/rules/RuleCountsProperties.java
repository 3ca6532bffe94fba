package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Counts that follow snapshots are those of a snapshot alone, however they came there. */
class RuleCountsProperties {
    @Property(tries = 150)
    void countsThatFollowed_areThoseOfTheSnapshotAlone(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        RuleCounts counts = RuleCounts.create();
        Cluster seen = Cluster.of(List.of());
        List<Cluster> snapshots = new ArrayList<>(List.of(world.cluster(6)));
        for (int step = 0; step < 30; step++) {
            Cluster cluster = snapshots.get(random.nextInt(Math.max(0, snapshots.size() - 3), snapshots.size()));
            counts.go(cluster);
            cluster.forEachChange(seen, counts::changed);
            seen = cluster;
            Pod pod = world.pod();
            RuleCounts alone = RuleCounts.of(cluster);
            RuleSet.of(pod, alone);
            RuleSet.of(pod, counts);
            assertThat(counts.held()).isEqualTo(alone.held());
            assertThat(counts.matched()).containsAllEntriesOf(alone.matched());
            for (Map.Entry<TallyKey, DomainCounts> known : counts.matched().entrySet()) {
                assertThat(known.getValue()).isEqualTo(alone.counts((TallyKey.Matching) known.getKey()));
            }
            assertThat(counts.hasAvoided()).isEqualTo(alone.hasAvoided());
            assertThat(counts.mostAvoided()).isEqualTo(alone.mostAvoided());
            for (String label : List.of("zone", "rack")) {
                assertThat(counts.nodesBy(label)).isEqualTo(alone.nodesBy(label));
            }
            Cluster next = world.oneIn(2) ? world.changed(cluster) : cluster;
            if (GpuScheduler.create().schedule(next, pod) instanceof Placed placed) {
                next = next.with(placed.placement());
            }
            snapshots.add(next);
        }
    }
}
