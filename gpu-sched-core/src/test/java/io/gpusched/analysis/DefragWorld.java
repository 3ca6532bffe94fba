package io.gpusched.analysis;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RackWorld;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Clusters in which pods lie scattered; all follows from the seed. */
final class DefragWorld {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);

    private DefragWorld() {}

    /** Few nodes of 8 GPUs with pods of 1 to 5 whole ones. */
    static Cluster small(long seed) {
        return small(seed, 2);
    }

    /** The same, with at least so many pods as long as there is room. */
    static Cluster small(long seed, int least) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Node> nodes = new ArrayList<>();
        int size = 3 + random.nextInt(2);
        for (int n = 0; n < size; n++) {
            nodes.add(
                    Node.builder("n" + n).capacity(64_000, 64_000).gpus(8, A100).build());
        }
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.create();
        for (int p = least + random.nextInt(size + 2); p > 0; p--) {
            Pod pod = Pod.of("p" + p, Resources.of(100, 100), GpuRequest.exclusive(1 + random.nextInt(5)));
            Optional<Placement> place = scheduler.place(cluster.node(random.nextInt(size)), pod);
            cluster = place.isPresent() ? cluster.with(place.get()) : cluster;
        }
        return cluster;
    }

    /** Racks of nodes of all kinds, on which groups with localities were spread and some pods have ended since. */
    static Cluster racks(long seed) {
        RackWorld world = new RackWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        GpuScheduler scheduler = GpuScheduler.of(Spread.of());
        Cluster cluster = world.cluster();
        for (int g = 0; g < 6; g++) {
            if (scheduler.schedule(cluster, world.group("g" + g)) instanceof GroupPlaced placed) {
                cluster = cluster.withAll(placed.placements());
            }
        }
        for (Placement held : cluster.placements()) {
            cluster = random.nextInt(3) == 0 ? cluster.without(held.pod()) : cluster;
        }
        return cluster;
    }

    /** Limits of all kinds. */
    static MoveLimits limits(Cluster cluster, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<PodId> fixed = some(cluster, random);
        List<DisruptionBudget> budgets = new ArrayList<>();
        for (int b = random.nextInt(3); b > 0; b--) {
            budgets.add(new DisruptionBudget("b" + b, some(cluster, random), random.nextInt(3)));
        }
        MoveLimits limits = MoveLimits.of(random.nextBoolean() ? 1_000 : random.nextInt(12))
                .keeping(held -> fixed.contains(held.pod()))
                .within(budgets);
        return random.nextBoolean() ? limits.wholeGroups() : limits;
    }

    private static Set<PodId> some(Cluster cluster, SplittableRandom random) {
        Set<PodId> some = new TreeSet<>();
        int part = 2 + random.nextInt(9);
        for (Placement held : cluster.placements()) {
            if (random.nextInt(part) == 0) {
                some.add(held.pod());
            }
        }
        return some;
    }
}
