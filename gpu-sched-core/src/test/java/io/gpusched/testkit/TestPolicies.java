package io.gpusched.testkit;

import io.gpusched.model.NodeState;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Policies as users might write them, one for each scope and one with penalties, beside those of the library. */
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

    /** Takes from another policy's score a penalty by what is idle in a class, and for the last of the CPU. */
    private record Penalised(PlacementPolicy base) implements ClusterAwarePolicy {
        /** What a placement takes away. */
        private record Taken(int gpus, long cpuSteps) {}

        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return base.score(before, after, pod);
        }

        @Override
        public Scope scope() {
            return base.scope();
        }

        @Override
        public ClusterAwarePolicy.Statistics statistics() {
            return new IdleStatistics();
        }

        @Override
        public Object penaltyKey(NodeState before, NodeState after) {
            return new Taken(before.gpuCount(), steps(before) - steps(after));
        }

        private static long steps(NodeState node) {
            return Math.min(3, node.freeCpuMillis() / 2_000);
        }

        @Override
        public String toString() {
            return "penalised " + base;
        }
    }

    /** Counts what is idle by the number of GPUs of a node. */
    private static final class IdleStatistics implements ClusterAwarePolicy.Statistics {
        private final Map<Integer, Integer> idle = new HashMap<>();

        @Override
        public void add(NodeState node) {
            idle.merge(node.gpuCount(), node.idleGpus(), Integer::sum);
        }

        @Override
        public void remove(NodeState node) {
            idle.merge(node.gpuCount(), -node.idleGpus(), Integer::sum);
        }

        @Override
        public ToLongFunction<Object> penalties(Pod pod) {
            return key -> penalty((Penalised.Taken) key);
        }

        private long penalty(Penalised.Taken taken) {
            return (20 - Math.min(20, idle.getOrDefault(taken.gpus(), 0))) * taken.cpuSteps() * 50
                    + taken.gpus() % 2 * 500L;
        }
    }

    private static final WorkloadProfile SHAPES = new WorkloadProfile(List.of(
            new WorkloadProfile.Demand(500, 300, 1, Set.of(), 5),
            new WorkloadProfile.Demand(1_000, 1_000, 2, Set.of("A100"), 3),
            new WorkloadProfile.Demand(4_000, 0, 0, Set.of(), 1)));

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

    /** The library's own that looks at the cluster, by a small workload. */
    public static PlacementPolicy lookAhead() {
        return LookAhead.of(new WorkloadProfile(List.of(
                new WorkloadProfile.Demand(500, 1_000, 300, 1, Set.of(), 5),
                new WorkloadProfile.Demand(2_000, 4_000, 1_000, 1, Set.of(), 5),
                new WorkloadProfile.Demand(1_000, 2_000, 1_000, 2, Set.of("A100"), 3),
                new WorkloadProfile.Demand(4_000, 8_000, 1_000, 4, Set.of(), 2),
                new WorkloadProfile.Demand(4_000, 0, 0, 0, Set.of(), 1))));
    }

    /** Only the least and the greatest scores there are, by what is left of the CPU. */
    public static PlacementPolicy extremes() {
        return new Named(
                "extremes",
                PlacementPolicy.Scope.OCCUPANCY,
                (before, after, pod) -> after.freeCpuMillis() % 1_000 < 500 ? Long.MIN_VALUE : Long.MAX_VALUE);
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
                extremes(),
                new Penalised(extremes()),
                new Penalised(BinPack.of()),
                new Penalised(evenCompute()),
                new Penalised(byNamesOnNode()),
                Spread.of(),
                BestFit.of(),
                FragmentationGradient.of(SHAPES),
                lookAhead());
    }

    /** Returns those of {@link #all} and one that draws nodes. */
    public static List<PlacementPolicy> allAndRandom() {
        List<PlacementPolicy> policies = new ArrayList<>(all());
        policies.add(RandomFit.of(7));
        return policies;
    }
}
