package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Defragmentation of random clusters: each move made and counted once more, and small clusters against all sequences of moves. */
class DefragmenterProperties {
    private static final Pod PAIR = Pod.of("pair", Resources.of(1_000, 100), GpuRequest.exclusive(2));
    private static final Pod SLICE = Pod.of("slice", Resources.NONE, GpuRequest.partition("3g.20gb", 1));

    private static final List<WantedRoom> ALL = List.of(
            WantedRoom.wholeNodes().withWeight(3),
            WantedRoom.wholeDomains("rack").withWeight(40),
            WantedRoom.groups(PAIR, 6, "zone").withWeight(5),
            WantedRoom.pods(SLICE));

    @Property(tries = 150)
    void eachMoveIsFeasibleFromTheOneBefore_andEachStageGainsWhatItPromises(@ForAll long seed) {
        Cluster cluster = DefragWorld.racks(seed);
        MoveLimits limits = DefragWorld.limits(cluster, seed);
        List<WantedRoom> wanted =
                List.of(ALL.get(Math.floorMod(seed, 4)), ALL.get(Math.floorMod(seed >> 2, 4))).stream()
                        .distinct()
                        .toList();
        DefragPlan plan = Defragmenter.plan(cluster, wanted, limits);
        assertThat(plan.extent()).isEqualTo(Extent.COMPLETE);
        assertThat(MoveChecks.made(cluster, plan.moves(), limits)).isEqualTo(plan.cluster());
        assertThat(plan.before()).isEqualTo(units(cluster, wanted));
        assertThat(plan.after()).isEqualTo(units(plan.cluster(), wanted));
        Cluster now = cluster;
        for (Stage stage : plan.stages()) {
            Cluster next = now;
            for (Move move : stage.moves()) {
                next = move.applyTo(next);
            }
            assertThat(stage.value()).isPositive().isEqualTo(worth(next, wanted) - worth(now, wanted));
            now = next;
        }
        assertThat(Defragmenter.plan(cluster, wanted, limits)).isEqualTo(plan);
    }

    private static long worth(Cluster cluster, List<WantedRoom> wanted) {
        List<Long> units = units(cluster, wanted);
        long worth = 0;
        for (int i = 0; i < units.size(); i++) {
            worth += units.get(i) * wanted.get(i).weight();
        }
        return worth;
    }

    private static List<Long> units(Cluster cluster, List<WantedRoom> wanted) {
        return wanted.stream().map(room -> units(cluster, room)).toList();
    }

    /** Counted as plainly as possible. */
    private static long units(Cluster cluster, WantedRoom room) {
        if (room.pod().isPresent() && room.level().isEmpty()) {
            return Headroom.of(cluster, room.pod().get()).pods();
        }
        if (room.pod().isPresent()) {
            Map<String, Long> byNode = Headroom.of(cluster, room.pod().get()).byNode();
            return byDomain(cluster, room.level()).values().stream()
                    .mapToLong(nodes -> nodes.stream()
                                    .mapToLong(node -> byNode.getOrDefault(node.name(), 0L))
                                    .sum()
                            / room.members())
                    .sum();
        }
        if (room.level().isEmpty()) {
            return cluster.nodes().stream()
                    .filter(DefragmenterProperties::isWhole)
                    .count();
        }
        return byDomain(cluster, room.level()).values().stream()
                .map(nodes -> nodes.stream().filter(node -> node.gpuCount() > 0).toList())
                .filter(nodes -> !nodes.isEmpty() && nodes.stream().allMatch(DefragmenterProperties::isWhole))
                .count();
    }

    private static Map<Topology, List<NodeState>> byDomain(Cluster cluster, String level) {
        return cluster.nodes().stream()
                .collect(Collectors.groupingBy(node -> node.node().topology().upTo(level)));
    }

    private static boolean isWhole(NodeState node) {
        return node.gpuCount() > 0
                && !node.isCordoned()
                && node.node().gpus().stream().allMatch(gpu -> gpu.healthy() && node.isIdle(gpu.index()));
    }

    @Property(tries = 60)
    void withAnyBudgetOfSteps_whatWasFoundHolds(@ForAll long seed) {
        Cluster cluster = DefragWorld.racks(seed);
        List<WantedRoom> wanted = List.of(WantedRoom.wholeNodes());
        SearchBudget few = SearchBudget.ofSteps(1 + Math.floorMod(seed, 100_000));
        DefragPlan plan = Defragmenter.plan(cluster, wanted, MoveLimits.NONE, few);
        MoveChecks.made(cluster, plan.moves(), MoveLimits.NONE);
        assertThat(units(plan.cluster(), wanted)).isEqualTo(plan.after());
    }

    @Property(tries = 1)
    void smallClusters_areDefragmentedNearlyAsWellAsByAllSequencesOfMoves() {
        int worlds = 0;
        int best = 0;
        long gained = 0;
        long possible = 0;
        long moved = 0;
        long fewest = 0;
        for (long seed = 0; seed < 400; seed++) {
            Cluster cluster = DefragWorld.small(seed);
            List<Integer> all = DefragOracle.wholeNodes(cluster);
            int most = all.get(all.size() - 1);
            DefragPlan plan = Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), MoveLimits.NONE);
            int found = plan.after().get(0).intValue();
            assertThat(found).isLessThanOrEqualTo(all.get(Math.min(plan.pods(), all.size() - 1)));
            if (most > all.get(0)) {
                worlds++;
                best += found == most ? 1 : 0;
                gained += found - all.get(0);
                possible += most - all.get(0);
                moved += plan.pods();
                fewest += all.indexOf(found);
            }
        }
        assertThat(worlds).isEqualTo(244);
        assertThat(best)
                .as("worlds in which as many whole nodes were made as can be")
                .isGreaterThanOrEqualTo(240);
        assertThat(gained).as("whole nodes of %s", possible).isGreaterThanOrEqualTo(possible * 98 / 100);
        assertThat(moved).as("moves where %s would do", fewest).isLessThanOrEqualTo(fewest * 103 / 100);
    }
}
