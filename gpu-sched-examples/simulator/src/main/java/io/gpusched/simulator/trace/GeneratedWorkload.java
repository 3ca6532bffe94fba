package io.gpusched.simulator.trace;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.EnumeratedDistribution;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.distribution.LogNormalDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.util.Pair;

/**
 * Makes a cluster and a workload in the proportions of Alibaba's openb trace, for runs without any file.
 *
 * <p>The machines are the 1,213 of the openb cluster, kind by kind, or a part of each kind. What a pod asks is drawn from
 * {@link OpenbShapes}; the amounts of memory
 * that go with it are log-normal around 2.8 GiB a core (sigma 0.45), as in the trace. Pods arrive in a
 * Poisson stream and run for log-normal times, so that the workload can be replayed too. Equal arguments give equal
 * workloads.
 */
public final class GeneratedWorkload {
    /** How many pods are asked for at full scale, as in the default trace. */
    public static final int PODS = 8_152;

    private static final double MIB_A_CORE = 2_850;
    private static final double SIGMA = 0.45;
    private static final double MEDIAN_RUN_SECONDS = 2 * 3_600;
    private static final double RUN_SIGMA = 1.2;
    private static final double MEAN_GAP_SECONDS = 1.85;

    /** How often each of the amounts of memory occurs that go with one request. */
    private static final double[] MEMORY_PARTS = {0.85, 0.08, 0.05, 0.02};

    private final RandomGenerator random;
    private final double scale;

    private final int rounds;

    private GeneratedWorkload(long seed, double scale, int rounds) {
        this.random = new Well19937c(seed);
        this.scale = scale;
        this.rounds = rounds;
    }

    /** Returns the whole cluster of 1,213 nodes and 8,152 pods. */
    public static Workload of(long seed) {
        return of(seed, 1, 1);
    }

    /**
     * Returns a part of the cluster, each kind of machine rounded up, and of the workload.
     *
     * @param scale 0.001..1
     * @param rounds how many times the pods that the cluster can hold at once are asked for, 1..100
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Workload of(long seed, double scale, int rounds) {
        if (!(scale >= 0.001 && scale <= 1) || rounds < 1 || rounds > 100) {
            throw new IllegalArgumentException(
                    "generated workload: scale must be in 0.001..1 and rounds in 1..100, got " + scale + " and "
                            + rounds);
        }
        GeneratedWorkload maker = new GeneratedWorkload(seed, scale, rounds);
        return new Workload("generated", maker.nodes(), maker.pods());
    }

    private List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (OpenbShapes.Machine kind : OpenbShapes.MACHINES) {
            long count = (long) Math.ceil(kind.count() * scale);
            for (int i = 0; i < count; i++) {
                nodes.add(OpenbTrace.node(String.format("node-%04d", nodes.size()), kind.cpuMillis(), kind.memoryMib())
                        .gpus(kind.gpus(), OpenbTrace.model(kind.model()))
                        .build());
            }
        }
        return nodes;
    }

    private List<TracePod> pods() {
        var kinds = kinds();
        var gap = new ExponentialDistribution(random, MEAN_GAP_SECONDS / scale);
        var run = new LogNormalDistribution(random, Math.log(MEDIAN_RUN_SECONDS), RUN_SIGMA);
        List<TracePod> pods = new ArrayList<>();
        double now = 0;
        long count = Math.max(1, Math.round(PODS * scale * rounds));
        for (int i = 0; i < count; i++) {
            Kind kind = kinds.sample();
            OpenbShapes.Ask ask = kind.ask();
            Resources resources = Resources.of(ask.cpuMillis(), kind.memoryMib());
            now += gap.sample();
            pods.add(TracePod.of(String.format("pod-%05d", i), resources, ask.gpus(), ask.gpuMillis(), "")
                    .withLifetime(new Lifetime((long) now, Math.max(1, Math.round(run.sample())))));
        }
        return pods;
    }

    /** A request with its memory. */
    private record Kind(OpenbShapes.Ask ask, long memoryMib) {}

    /** Few amounts of memory occur with each request, one of them mostly: in the trace 151 kinds make 8,152 pods. */
    private EnumeratedDistribution<Kind> kinds() {
        var factor = new LogNormalDistribution(random, 0, SIGMA);
        List<Pair<Kind, Double>> weights = new ArrayList<>();
        for (OpenbShapes.Ask ask : OpenbShapes.ASKS) {
            for (double part : MEMORY_PARTS) {
                double mib = MIB_A_CORE * Math.min(2.5, factor.sample()) * ask.cpuMillis() / 1_000;
                weights.add(Pair.create(new Kind(ask, Math.round(mib / 256) * 256), ask.weight() * part));
            }
        }
        return new EnumeratedDistribution<>(random, weights);
    }
}
