package io.gpusched.internal.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The parts of a node's value, computed with tables and sets of steps, against the same computed step by step. */
class NodeValueProperties {
    private static final PodMix MIX = new PodMix(new WorkloadProfile(List.of(
            new Demand(400, 900, 330, 1, Set.of(), 7),
            new Demand(1_500, 2_000, 705, 1, Set.of("A100"), 4),
            new Demand(255, 300, 64, 1, Set.of("T4", "A100"), 3),
            new Demand(256, 300, 999, 1, Set.of(), 3),
            new Demand(2_000, 4_000, 1_000, 1, Set.of(), 6),
            new Demand(70_000, 8_000, 1_000, 4, Set.of(), 2),
            new Demand(9_000, 400_000, 1_000, 2, Set.of(), 2),
            new Demand(30_000, 9_000, 1_000, 20, Set.of(), 1),
            new Demand(700, 700, 250, 2, Set.of(), 1),
            new Demand(900, 700, 400, 1, Set.of("T4"), 5),
            new Demand(4_000, 0, 0, 0, Set.of(), 6))));

    private static final NodeKind KIND = NodeKind.of(cluster(1).node(0).nodeClass());
    private static final Arrivals ARRIVALS = new Arrivals(MIX, KIND);
    private static final RollOuts ROLLOUTS = new RollOuts(ARRIVALS);
    private static final FragmentTable FRAGMENTS = FragmentTable.of(MIX, KIND);

    /** What is taken of each GPU, in milli; 1,000 is held whole. */
    @Provide
    Arbitrary<List<Integer>> taken() {
        Arbitrary<Integer> part = Arbitraries.integers().between(1, 999);
        return Arbitraries.oneOf(Arbitraries.just(0), Arbitraries.just(1_000), part, part)
                .list()
                .ofMinSize(1)
                .ofMaxSize(24);
    }

    @Property(tries = 1000)
    void rollouts_countWhatStaysIdleWhenEachArrivalIsOfferedInTurn(
            @ForAll("taken") List<Integer> taken,
            @ForAll @IntRange(max = 200_000) int cpuTaken,
            @ForAll @IntRange(max = 1_000) int memorySteps) {
        FreeAmounts free = FreeAmounts.of(node(taken, cpuTaken), memorySteps);
        int sum = 0;
        for (int sequence = 0; sequence < Arrivals.SEQUENCES; sequence++) {
            sum += idleAfter(ARRIVALS.sequence(sequence), free);
        }
        assertThat(ROLLOUTS.idleAfterwards(free)).isEqualTo(sum);
    }

    private static int idleAfter(int[] steps, FreeAmounts free) {
        List<Integer> parts = new ArrayList<>();
        for (int p = 0; p < free.parts(); p++) {
            parts.add(free.part(p));
        }
        int whole = free.whole();
        int cpu = free.cpuMillis();
        int memory = free.memorySteps();
        for (int at = 0; at < steps.length; at += Arrivals.FIELDS) {
            int milli = steps[at + 2];
            int gpus = steps[at + 3];
            Integer tightest = parts.stream()
                    .filter(part -> part >= milli)
                    .min(Integer::compare)
                    .orElse(null);
            boolean share = gpus > 0 && milli < 1_000;
            boolean fits = share ? tightest != null || whole > 0 : gpus <= whole;
            if (!fits || steps[at] > cpu || steps[at + 1] > memory) {
                continue;
            }
            cpu -= steps[at];
            memory -= steps[at + 1];
            if (share) {
                whole -= tightest == null ? 1 : 0;
                parts.remove(tightest);
                parts.add((tightest == null ? 1_000 : tightest) - milli);
            } else {
                whole -= gpus;
            }
        }
        return 1_000 * whole + parts.stream().mapToInt(part -> part).sum();
    }

    @Property(tries = 1000)
    void fragmentTable_isTheMeanOverTheShapesOfWhatEachCannotUse(
            @ForAll("taken") List<Integer> taken, @ForAll @IntRange(max = 200_000) int cpuTaken) {
        FreeAmounts free = FreeAmounts.of(node(taken, cpuTaken), 0);
        long sum = 0;
        for (Demand demand : MIX.demands()) {
            sum += demand.weight() * unusable(free, demand);
        }
        double mean = (double) sum / MIX.pods();
        double rounding = MIX.demands().size() * 0.5 * free.gpuMillis() / (1 << FragmentTable.WEIGHT_BITS);
        assertThat((double) FRAGMENTS.fragmentation(free) / (1 << FragmentTable.WEIGHT_BITS))
                .isBetween(mean - rounding, mean + rounding);
    }

    private static int unusable(FreeAmounts free, Demand demand) {
        int fitting = free.whole();
        int tooSmall = 0;
        for (int p = 0; p < free.parts(); p++) {
            boolean fits = free.part(p) >= demand.gpuMillis();
            fitting += fits ? 1 : 0;
            tooSmall += fits ? 0 : free.part(p);
        }
        boolean usable = demand.gpuCount() > 0 && KIND.accepts(demand) && demand.cpuMillis() <= free.cpuMillis();
        return usable && fitting >= demand.gpuCount() ? tooSmall : free.gpuMillis();
    }

    private static Cluster cluster(int gpus) {
        return Cluster.of(List.of(Node.builder("n")
                .capacity(200_000, 1_000_000)
                .gpus(gpus, GpuModel.of("nvidia", "A100", 0))
                .build()));
    }

    private static NodeState node(List<Integer> taken, long cpuTaken) {
        NodeState node =
                cluster(taken.size()).node(0).with(placement("used", Resources.of(cpuTaken, 0), GpuGrant.none()));
        for (int gpu = 0; gpu < taken.size(); gpu++) {
            int milli = taken.get(gpu);
            if (milli > 0) {
                GpuGrant grant = milli == 1_000
                        ? new GpuGrant.Whole(List.of(gpu))
                        : new GpuGrant.Shared(List.of(new GpuShare(gpu, milli, 0, 1)));
                node = node.with(placement("g" + gpu, Resources.NONE, grant));
            }
        }
        return node;
    }

    private static Placement placement(String pod, Resources resources, GpuGrant grant) {
        return new Placement(PodId.of(pod), "n", resources, List.of(ContainerGrant.of("main", grant)));
    }
}
