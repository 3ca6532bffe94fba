package io.gpusched.simulator.soak;

import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.simulator.policy.DotProduct;
import io.gpusched.simulator.policy.GpuClustering;
import io.gpusched.simulator.policy.GpuPacking;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched soak}: random operations against a slow model until the time is over. */
@Command(
        name = "soak",
        description = "Makes random operations of all kinds on clusters of up to 10,000 nodes and compares each result"
                + " with a slow and obvious model; with --queues plays random histories of queues, and has each plan"
                + " judged by the checker. Exit 0 if all agree.")
public final class SoakCommand implements Callable<Integer> {
    private static final int STEPS = 5_000;

    /** So many operations for each cluster, and so many more for each of its nodes. */
    private static final int LEAST_OPERATIONS = 100_000;

    private static final int OPERATIONS_A_NODE = 5;
    private static final List<Integer> SIZES = List.of(3, 30, 300, 3_000, 10_000);

    @Option(names = "--minutes", paramLabel = "N", description = "how long, 1 to 100,000 (default: ${DEFAULT-VALUE})")
    private int minutes = 10;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "the seed of all random choices (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--queues",
            description =
                    "histories of small clusters with queues instead: jobs, losses, cordons, resized queues; with seeds from"
                            + " 1000000 on also partitions, spread constraints, groups of groups, and policies of jobs; from"
                            + " 2000000 on also all settings, queues in three levels, pods of several containers, and jobs,"
                            + " queues and labels of nodes that change; from 3000000 on with up to 19 nodes and 59 jobs")
    private boolean queues;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (minutes < 1 || minutes > 100_000) {
            throw new IllegalArgumentException("--minutes must be in 1..100000, got " + minutes);
        }
        if (spec == null) {
            throw new IllegalStateException("the command is not part of a command line");
        }
        PrintWriter out = spec.commandLine().getOut();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        if (queues) {
            soakQueues(end, out);
        } else {
            soakClusters(end, out);
        }
        out.flush();
        return 0;
    }

    private void soakQueues(long end, PrintWriter out) {
        QueueSoak soak = new QueueSoak();
        long next = seed;
        for (; System.nanoTime() < end; next++) {
            soak.play(next);
        }
        out.printf(Locale.ROOT, "%s, seeds %d to %d%n", soak, seed, next - 1);
    }

    private void soakClusters(long end, PrintWriter out) {
        Map<SoakRun.Operation, Long> done = new EnumMap<>(SoakRun.Operation.class);
        long next = seed;
        int clusters = 0;
        for (; System.nanoTime() < end; next++, clusters++) {
            run(next, end, done);
        }
        long operations = SoakRun.operations(done);
        out.printf(
                Locale.ROOT,
                "%,d operations on %,d clusters of up to 10,000 nodes, seeds %d to %d, all agree:%n",
                operations,
                clusters,
                seed,
                next - 1);
        done.forEach((operation, count) -> out.printf(
                Locale.ROOT,
                "  %,13d %s%n",
                count,
                operation.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
    }

    /** Lives through one cluster; everything in it follows from its seed. */
    private static void run(long seed, long end, Map<SoakRun.Operation, Long> done) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PlacementPolicy> policies = policies(random);
        PlacementPolicy policy = policies.get(random.nextInt(policies.size()));
        int nodes = SIZES.get(random.nextInt(SIZES.size()));
        try {
            SoakRun run = new SoakRun(seed, nodes, policy);
            int left = LEAST_OPERATIONS + OPERATIONS_A_NODE * nodes;
            for (; left > 0 && System.nanoTime() < end; left -= STEPS) {
                run.steps(STEPS);
            }
            run.done().forEach((operation, count) -> done.merge(operation, count, Long::sum));
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "seed " + seed + ", up to " + nodes + " nodes, policy " + policy + ": " + e.getMessage()
                            + "\nTo see it again: gpu-sched soak --minutes 1 --seed " + seed,
                    e);
        }
    }

    private static List<PlacementPolicy> policies(SplittableRandom random) {
        RandomWorld world = new RandomWorld(random.split());
        List<Pod> past = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            past.add(world.pod(List.of(world.node())));
        }
        WorkloadProfile profile = WorkloadProfile.of(past);
        return List.of(
                BinPack.of(),
                BestFit.of(),
                DotProduct.of(),
                FirstFit.of(),
                GpuClustering.of(),
                GpuPacking.of(),
                Spread.of(),
                RandomFit.of(seedOf(random)),
                FragmentationGradient.of(profile),
                LookAhead.of(profile));
    }

    private static long seedOf(SplittableRandom random) {
        return random.nextLong();
    }
}
