package io.gpusched.schedule.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.PartitionWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Partitions in clusters of every kind of cutting, against the plainest way to look for a place. */
class PartitionProperties {
    private static final int STEPS = 25;

    private static List<PlacementPolicy> policies(WorkloadProfile profile) {
        return List.of(
                BinPack.of(),
                Spread.of(),
                FirstFit.of(),
                BestFit.of(),
                FragmentationGradient.of(profile),
                LookAhead.of(profile));
    }

    @Property(tries = 60)
    void podIsPlaced_exactlyIfAnyPlaceGoesWithWhatRuns(@ForAll long seed) {
        PartitionWorld world = new PartitionWorld(seed);
        Random random = new Random(seed);
        Cluster cluster = world.cluster();
        WorkloadProfile profile = WorkloadProfile.of(List.of(world.pod(100), world.pod(101), world.pod(102)));
        GpuScheduler scheduler = GpuScheduler.of(
                policies(profile).get(random.nextInt(policies(profile).size())));
        List<Placement> running = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                Placement gone = running.remove(random.nextInt(running.size()));
                Cluster without = cluster.without(gone);
                assertThat(without.with(gone).nodes())
                        .as("released and placed again")
                        .isEqualTo(cluster.nodes());
                cluster = without;
                continue;
            }
            Pod pod = world.pod(step);
            Decision decision = scheduler.schedule(cluster, pod);
            assertThat(Verifier.create().check(cluster, pod, decision)).isEmpty();
            boolean fits = false;
            for (NodeState node : cluster.nodes()) {
                fits |= BruteForce.fits(pod, node);
            }
            assertThat(decision instanceof Placed)
                    .as("%s in %s", pod, cluster.nodes())
                    .isEqualTo(fits);
            if (decision instanceof Placed placed) {
                running.add(placed.placement());
                cluster = cluster.with(placed.placement());
                cluster.validate();
            } else {
                Unschedulable refused = (Unschedulable) decision;
                assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
                assertThat(refused.diagnosis().reasons().stream()
                                .mapToInt(reason -> reason.nodes())
                                .sum())
                        .isEqualTo(cluster.size());
            }
        }
        for (Placement placement : running) {
            cluster = cluster.without(placement);
        }
        assertThat(cluster.totals().usedGpuComputeMillis()).isZero();
        assertThat(cluster.totals().usedGpuMemoryMib()).isZero();
        for (NodeState node : cluster.nodes()) {
            for (int g = 0; g < node.gpuCount(); g++) {
                boolean always = node.node().gpus().get(g).partitions().isAlwaysCut();
                assertThat(node.isCut(g)).isEqualTo(always);
                assertThat(node.isIdle(g)).isEqualTo(node.isHealthy(g) && !always);
            }
        }
    }

    @Property(tries = 60)
    void binPack_findsThroughTheTreeWhatALookAtEveryNodeFinds(@ForAll long seed) {
        PartitionWorld world = new PartitionWorld(seed);
        Random random = new Random(seed);
        Cluster cluster = world.cluster();
        GpuScheduler byTree = GpuScheduler.of(BinPack.of());
        PlacementPolicy plain = (before, after, pod) -> BinPack.of().score(before, after, pod);
        GpuScheduler byLook = GpuScheduler.of(plain);
        List<Placement> running = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Decision decision = byTree.schedule(cluster, world.pod(step));
            Pod pod = world.pod(step + 2_000);
            assertThat(place(byTree, cluster, pod)).isEqualTo(place(byLook, cluster, pod));
            if (decision instanceof Placed placed) {
                running.add(placed.placement());
                cluster = cluster.with(placed.placement());
            } else if (!running.isEmpty()) {
                cluster = cluster.without(running.remove(random.nextInt(running.size())));
            }
        }
    }

    private static String place(GpuScheduler scheduler, Cluster cluster, Pod pod) {
        return scheduler.schedule(cluster, pod) instanceof Placed placed
                ? placed.placement().toString()
                : "nowhere";
    }
}
