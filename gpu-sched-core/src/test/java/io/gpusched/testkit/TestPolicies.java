package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DotProduct;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.GpuClustering;
import io.gpusched.policy.GpuPacking;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.List;
import java.util.Set;

/** Policies as users might write them, one for each scope and one with a bias, beside those of the library. */
public final class TestPolicies {
    /** Scores a placement. */
    private interface Score {
        long of(NodeState before, NodeState after, Pod pod);
    }

    /** A policy of a name and a scope. */
    private record Named(String name, Scope scope, Score rule) implements PlacementPolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return rule.of(before, after, pod);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Adds to another policy a bias by what is idle in a class and in the whole cluster. */
    private record Biased(PlacementPolicy base) implements PlacementPolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return base.score(before, after, pod);
        }

        @Override
        public Scope scope() {
            return base.scope();
        }

        @Override
        public long bias(Cluster cluster, NodeClass nodeClass, Pod pod) {
            long idle = cluster.idleGpus(nodeClass, 0, cluster.size());
            return idle * 1_000 / (cluster.totals().idleGpus() + 1) + (nodeClass.index() % 2) * 500;
        }

        @Override
        public String toString() {
            return "biased " + base;
        }
    }

    private static final WorkloadProfile SHAPES = new WorkloadProfile(List.of(
            new WorkloadProfile.Shape(500, 300, 1, Set.of(), 5),
            new WorkloadProfile.Shape(1_000, 1_000, 2, Set.of("A100"), 3),
            new WorkloadProfile.Shape(4_000, 0, 0, Set.of(), 1)));

    private TestPolicies() {}

    /** Bin-pack behind another face, so that no short cut knows it. */
    public static PlacementPolicy hiddenBinPack() {
        return new Named("hidden bin-pack", PlacementPolicy.Scope.OCCUPANCY, BinPack.of()::score);
    }

    /** Prefers nodes with much compute left and punishes uneven GPUs. */
    public static PlacementPolicy evenCompute() {
        return new Named("even compute", PlacementPolicy.Scope.OCCUPANCY, (before, after, pod) -> {
            long squares = 0;
            for (int gpu = 0; gpu < after.gpuCount(); gpu++) {
                squares -= (long) after.freeComputeMillis(gpu) * after.freeComputeMillis(gpu);
            }
            return squares / 1_000 + after.freeComputeMillis() - after.freeCpuMillis() / 10;
        });
    }

    /** Looks at names and pods: few scores, so that many nodes tie. */
    public static PlacementPolicy byNamesOnNode() {
        return new Named(
                "names on node",
                PlacementPolicy.Scope.NODE,
                (before, after, pod) -> Math.floorMod(
                        before.node().name().hashCode() + before.placements().hashCode() % 5, 3));
    }

    /** Looks at the pod's own name too. */
    public static PlacementPolicy byPodName() {
        return new Named(
                "pod name",
                PlacementPolicy.Scope.POD,
                (before, after, pod) -> Math.floorMod(
                        pod.id().hashCode() * 31 + before.node().name().hashCode(), 7));
    }

    /** All of them, and the library's own. */
    public static List<PlacementPolicy> all() {
        return List.of(
                BinPack.of(),
                FirstFit.of(),
                hiddenBinPack(),
                evenCompute(),
                byNamesOnNode(),
                byPodName(),
                new Biased(BinPack.of()),
                new Biased(evenCompute()),
                new Biased(byNamesOnNode()),
                Spread.of(),
                BestFit.of(),
                DotProduct.of(),
                GpuPacking.of(),
                GpuClustering.of(),
                FragmentationGradient.of(SHAPES));
    }
}
