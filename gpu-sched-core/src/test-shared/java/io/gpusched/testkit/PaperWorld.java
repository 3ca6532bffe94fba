package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.fail;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A small cluster as in "Beware of Fragmentation", partly in use: nodes of one to eight GPUs, pods of one container that ask
 * for CPU alone, a share, or 1, 2, 4 or 8 whole GPUs. The seed decides all.
 */
public final class PaperWorld {
    private static final GpuModel MODEL = GpuModel.of("nvidia", "T4", 0);
    private static final int[] COUNTS = {1, 1, 2, 4, 8};

    /** One way to place a pod: its node before and after. */
    public record Way(NodeState before, NodeState after, Placement placement) {
        public long cpuMillis() {
            return before.freeCpuMillis() - after.freeCpuMillis();
        }

        public long gpuMillis() {
            return before.freeComputeMillis() - after.freeComputeMillis();
        }

        /** The GPUs of which something is taken. */
        public List<Integer> taken() {
            return placement.gpus();
        }

        /** What is left of them afterwards. */
        public long left() {
            return taken().stream().mapToLong(after::freeComputeMillis).sum();
        }
    }

    private final Random random;
    private Cluster cluster;

    public PaperWorld(long seed) {
        random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        int count = 2 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            nodes.add(node("n" + i, 8_000 * (1 + random.nextInt(12)), 1 + random.nextInt(8)));
        }
        cluster = Cluster.of(nodes);
        int running = random.nextInt(4 * count);
        for (int i = 0; i < running; i++) {
            if (GpuScheduler.of(RandomFit.of(seed)).schedule(cluster, pod("running-" + i)) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
            }
        }
    }

    public static Node node(String name, long cpuMillis, int gpus) {
        return Node.builder(name)
                .mode(NodeMode.MIXED)
                .capacity(cpuMillis, 1_000_000)
                .gpus(gpus, MODEL)
                .build();
    }

    public static Pod share(String name, long cpuMillis, int gpuMillis) {
        return Pod.of(name, Resources.of(cpuMillis, 1), GpuRequest.share(gpuMillis, GpuMemory.none()));
    }

    public static Pod whole(String name, long cpuMillis, int gpus) {
        return Pod.of(name, Resources.of(cpuMillis, 1), GpuRequest.exclusive(gpus));
    }

    public static Pod cpuOnly(String name, long cpuMillis) {
        return Pod.of(name, Resources.of(cpuMillis, 1), GpuRequest.none());
    }

    public Cluster cluster() {
        return cluster;
    }

    /** A pod that has not been seen before. */
    public Pod pod(String name) {
        long cpuMillis = 500 * (1 + random.nextInt(16));
        return switch (random.nextInt(4)) {
            case 0 -> cpuOnly(name, cpuMillis);
            case 1 -> whole(name, cpuMillis, COUNTS[random.nextInt(COUNTS.length)]);
            default -> share(name, cpuMillis, 50 * (1 + random.nextInt(19)));
        };
    }

    /** Returns several ways to place a pod, found by dice. */
    public List<Way> ways(Pod pod) {
        Set<Placement> found = new LinkedHashSet<>();
        for (int seed = 0; seed < 12; seed++) {
            if (GpuScheduler.of(RandomFit.of(seed)).schedule(cluster, pod) instanceof Placed placed) {
                found.add(placed.placement());
            }
        }
        return found.stream().map(placement -> way(cluster, placement)).toList();
    }

    /** Returns the way that a policy takes. */
    public static Way chosen(Cluster cluster, PlacementPolicy policy, Pod pod) {
        return way(
                cluster,
                GpuScheduler.of(policy).schedule(cluster, pod) instanceof Placed placed
                        ? placed.placement()
                        : fail("no room for " + pod.id()));
    }

    private static Way way(Cluster cluster, Placement placement) {
        return new Way(
                cluster.node(placement.node()).orElseThrow(),
                cluster.with(placement).node(placement.node()).orElseThrow(),
                placement);
    }
}
