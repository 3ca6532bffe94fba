package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.testkit.BruteForce;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Emptying GPUs and nodes of random clusters. */
class RepairProperties {
    @Property(tries = 200)
    void eachMoveIsFeasible_andWhoIsNotNamedHasLeft(@ForAll long seed) {
        Cluster cluster = DefragWorld.racks(seed);
        NodeState node = cluster.node((int) Math.floorMod(seed, (long) cluster.size()));
        OptionalInt gpu = seed % 3 == 0 || node.gpuCount() == 0
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.floorMod(seed, (long) node.gpuCount()));
        MoveLimits limits = DefragWorld.limits(cluster, seed);
        Repair repair = Repair.plan(cluster, node.name(), gpu, limits, AnalysisSteps.DEFAULT);
        Cluster broken = gpu.isPresent()
                ? cluster.withGpuHealth(node.name(), gpu.getAsInt(), false)
                : cluster.withCordoned(node.name(), true);
        assertThat(MoveChecks.made(broken, repair.moves(), limits)).isEqualTo(repair.after());
        Set<PodId> named = new HashSet<>(repair.kept());
        repair.obstacles().forEach(obstacle -> named.addAll(obstacle.pods()));
        for (Placement held : repair.after().node(node.name()).orElseThrow().placements()) {
            boolean isAffected = gpu.isEmpty() || held.gpus().contains(gpu.getAsInt());
            assertThat(!isAffected || named.contains(held.pod()))
                    .as("%s is left", held)
                    .isTrue();
        }
        assertThat(Repair.plan(cluster, node.name(), gpu, limits, AnalysisSteps.DEFAULT))
                .isEqualTo(repair);
    }

    @Property(tries = 200)
    void aGpuOfASmallCluster_isEmptiedByTheFewestMoves(@ForAll long seed) {
        Cluster cluster = DefragWorld.small(seed, 10);
        NodeState node = cluster.node((int) Math.floorMod(seed, (long) cluster.size()));
        int gpu = (int) Math.floorMod(seed, 8L);
        Repair repair = Repair.plan(cluster, node.name(), gpu, MoveLimits.NONE);
        List<Pod> affected = new ArrayList<>();
        Cluster rest = cluster.withGpuHealth(node.name(), gpu, false);
        for (Placement held : node.placements()) {
            if (held.gpus().contains(gpu)) {
                affected.add(Pod.of(held).orElseThrow());
                rest = rest.without(held.pod());
            }
        }
        boolean isEasy = affected.isEmpty() || BruteForce.canStart(rest, PodGroup.of("affected", affected));
        assertThat(MoveChecks.made(cluster.withGpuHealth(node.name(), gpu, false), repair.moves(), MoveLimits.NONE))
                .isEqualTo(repair.after());
        if (isEasy) {
            assertThat(repair.isPossible()).isTrue();
            assertThat(repair.pods()).isEqualTo(affected.size());
        }
        for (Drain.Obstacle obstacle : repair.obstacles()) {
            Cluster without = repair.after().without(obstacle.pods().get(0));
            assertThat(BruteForce.canStart(without, PodGroup.of("left", List.of(affected.get(0)))))
                    .isFalse();
        }
    }
}
