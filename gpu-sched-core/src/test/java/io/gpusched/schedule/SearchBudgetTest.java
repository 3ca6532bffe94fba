package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.StressCase;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are hard to lay out: decided within the budget of a scheduler that was told nothing. */
class SearchBudgetTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Cluster idle(int nodes, int gpus) {
        return Cluster.of(IntStream.range(0, nodes)
                .mapToObj(n -> Node.builder("n" + n)
                        .capacity(1_000_000, 1_000_000)
                        .maxPods(2_000)
                        .gpus(gpus, A100)
                        .build())
                .toList());
    }

    /** A cluster in which a pod holds a part of each GPU, the same on each node. */
    private static Cluster used(int nodes, int gpus, IntUnaryOperator computeMillis, IntUnaryOperator memoryMib) {
        Cluster cluster = idle(nodes, gpus);
        for (int n = 0; n < nodes; n++) {
            for (int g = 0; g < gpus; g++) {
                GpuShare share = new GpuShare(g, computeMillis.applyAsInt(g), memoryMib.applyAsInt(g), 1);
                ContainerGrant grant = ContainerGrant.of("c", new GpuGrant.Shared(List.of(share)));
                cluster = cluster.with(
                        new Placement(PodId.of("u" + n + "-" + g), "n" + n, Resources.NONE, List.of(grant)));
            }
        }
        return cluster;
    }

    private static Pod pod(int containers, IntFunction<GpuRequest> request) {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < containers; c++) {
            pod.container("c" + c, Resources.of(1, 1), request.apply(c));
        }
        return pod.build();
    }

    private static long score(Cluster cluster, Decision decision, Pod pod) {
        Placement placement = ((Placed) decision).placement();
        NodeState node = cluster.node(placement.node()).orElseThrow();
        return BinPack.of().score(node, node.with(placement), pod);
    }

    @Test
    void sixSharesOnEightUsedGpus_goWhereLeastIsLeft() {
        Cluster cluster = used(1, 8, g -> 100 + 30 * g, g -> 4_096 + 512 * g);
        Pod pod = pod(6, c -> GpuRequest.share(100 + 10 * c, GpuMemory.mib(4_096 + 256L * c)));

        Decision decision = scheduler.schedule(cluster, pod);

        assertThat(score(cluster, decision, pod)).isEqualTo(-19_200);
        assertThat(((Placed) decision).certainty()).isEqualTo(Certainty.PROVEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 28, 64})
    void partsOfHalfOfAllGpus_goToThoseWithLeastLeft(int gpus) {
        Cluster cluster = used(1, gpus, g -> 10 + 12 * g, g -> 100 + 64 * g);
        Pod pod = pod(1, c -> GpuRequest.share(10, GpuMemory.mib(100)).withCount(gpus / 2));

        Placed placed = (Placed) scheduler.schedule(cluster, pod);

        assertThat(placed.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(placed.placement().containers().get(0).gpus().indexes())
                .isEqualTo(IntStream.range(gpus / 2, gpus).boxed().toList());
    }

    /** Two to a GPU are sixteen, so two GPUs would have to take three each: the six smallest are too much. */
    @ParameterizedTest
    @ValueSource(ints = {310, 330, 350, 400})
    void eighteenDifferentSharesOnFourNodes_areProvenNotToFit(int least) {
        Cluster cluster = idle(4, 8);
        Pod pod = pod(18, c -> GpuRequest.share(least + 10 * c, GpuMemory.mib(1_000 + 256L * c)));

        Unschedulable refusal = (Unschedulable) scheduler.schedule(cluster, pod);

        assertThat(refusal.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(refusal.diagnosis().certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(refusal.diagnosis().reasons()).extracting(Reason::code).doesNotContain(Reason.Code.SEARCH_LIMIT);
    }

    /** How many of 121 requests, from far too little to far too much, are decided for certain. */
    private int provenOf121(Cluster cluster) {
        int proven = 0;
        for (int least = 100; least <= 700; least += 5) {
            int base = least;
            Decision decision = scheduler.schedule(
                    cluster, pod(18, c -> GpuRequest.share(base + 10 * c, GpuMemory.mib(1_000 + 256L * c))));
            boolean certain = decision instanceof Placed placed
                    ? placed.certainty() == Certainty.PROVEN
                    : ((Unschedulable) decision).certainty() == Certainty.PROVEN;
            proven += certain ? 1 : 0;
        }
        return proven;
    }

    @Test
    void eighteenDifferentShares_areAllDecidedForCertainOnIdleGpusAndMostlyOnUsedOnes() {
        assertThat(provenOf121(idle(4, 8))).isEqualTo(121);
        assertThat(provenOf121(used(4, 8, g -> 100 + 30 * g, g -> 4_096 + 512 * g)))
                .isGreaterThanOrEqualTo(100);
    }

    @Test
    void eighteenDifferentSharesThatFit_arePlacedAndProven() {
        Pod pod = pod(18, c -> GpuRequest.share(100 + 10 * c, GpuMemory.mib(1_000 + 256L * c)));

        Placed placed = (Placed) scheduler.schedule(idle(4, 8), pod);

        assertThat(placed.certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void hundredInitContainersOn64UsedGpus_shareTheOneGpuThatIsFullest() {
        Cluster cluster = used(1, 64, g -> 10 + 12 * g, g -> 100 + 64 * g);
        Pod.Builder builder = Pod.builder("p");
        for (int c = 0; c < 100; c++) {
            GpuRequest request = GpuRequest.share(10 + 5 * c, GpuMemory.mib(100 + 700L * c));
            builder.container(Container.init("i" + c, Resources.NONE, request));
        }
        Pod pod = builder.container("main", Resources.NONE, GpuRequest.percent(10))
                .build();

        Decision decision = scheduler.schedule(cluster, pod);

        assertThat(((Placed) decision).certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(score(cluster, decision, pod)).isEqualTo(-51 << 8);
    }

    @Test
    void thousandContainers_arePlacedOrRefused() {
        Cluster cluster = used(2, 64, g -> 10 + 2 * g, g -> 100 + 64 * g);

        assertThat(scheduler.schedule(cluster, pod(1_000, c -> GpuRequest.share(1 + c % 40, GpuMemory.mib(10 + c)))))
                .isInstanceOf(Placed.class);
        assertThat(scheduler.schedule(cluster, pod(1_000, c -> GpuRequest.share(20, GpuMemory.mib(10)))))
                .isInstanceOf(Placed.class);
        Decision tooMuch =
                scheduler.schedule(cluster, pod(1_000, c -> GpuRequest.share(60 + c % 40, GpuMemory.mib(10))));
        assertThat(((Unschedulable) tooMuch).certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void thousandContainersInAPolicysOrder_arePlacedOrRefused() {
        Cluster cluster = used(2, 64, g -> 10 + 2 * g, g -> 100 + 64 * g);
        GpuScheduler ordered = GpuScheduler.of(new StressCase.HighestFirst(true));

        Decision placed =
                ordered.schedule(cluster, pod(1_000, c -> GpuRequest.share(1 + c % 40, GpuMemory.mib(10 + c))));
        Decision tooMuch = ordered.schedule(cluster, pod(1_000, c -> GpuRequest.share(60 + c % 40, GpuMemory.mib(10))));

        // the last container chooses first, and the GPU with the highest index has room for it
        assertThat(((Placed) placed).placement().containers().get(999).gpus().indexes())
                .containsExactly(63);
        assertThat(tooMuch).isInstanceOf(Unschedulable.class);
    }

    @Test
    void fiveHundredInitContainersEachBehindASidecar_arePlacedOrRefused() {
        Cluster cluster = idle(2, 2);

        assertThat(scheduler.schedule(cluster, sidecarsAndInits(3, 1))).isInstanceOf(Placed.class);
        // 500 sidecars of 5 need more than two GPUs have
        assertThat(scheduler.schedule(cluster, sidecarsAndInits(5, 1))).isInstanceOf(Unschedulable.class);
        // beside the last init container a GPU has room for 166 sidecars, and the other GPU for no more than 333
        assertThat(scheduler.schedule(cluster, sidecarsAndInits(3, 502))).isInstanceOf(Unschedulable.class);
    }

    private static Pod sidecarsAndInits(int sidecar, int init) {
        List<Container> containers = new ArrayList<>();
        for (int c = 0; c < 1_000; c++) {
            ContainerKind kind = c % 2 == 0 ? ContainerKind.SIDECAR : ContainerKind.INIT;
            containers.add(new Container(
                    "c" + c, kind, Resources.NONE, GpuRequest.share(c % 2 == 0 ? sidecar : init, GpuMemory.mib(1))));
        }
        return new Pod(PodId.of("p"), containers, NodeSelector.ANY, List.of());
    }

    @Test
    void gangOf26InTwelveShapesThatDoesNotFit_isProvenNotTo() {
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            int shape = i % 12;
            GpuRequest request = shape < 4 ? GpuRequest.exclusive(1) : GpuRequest.percent(30 + 5 * shape);
            members.add(Pod.of("m" + i, Resources.of(1_000 + 200L * shape, 1_000), request));
        }

        GroupDecision decision = scheduler.schedule(idle(3, 8), PodGroup.of("g", members));

        assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void gangOf26InTwelveShapesThatFits_starts() {
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            int shape = i % 12;
            GpuRequest request = GpuRequest.share(300 + 50 * shape, GpuMemory.mib(20_000 + 4_000L * shape));
            members.add(Pod.of("m" + i, Resources.of(1_000 + 200L * shape, 1_000), request));
        }

        assertThat(scheduler.schedule(idle(3, 8), PodGroup.of("g", members)).isPlaced())
                .isTrue();
    }

    @Test
    void aPolicyThatCannotBound_saysThatItsPlaceIsTheBestFound() {
        Cluster cluster = used(1, 8, g -> 100 + 30 * g, g -> 4_096 + 512 * g);
        Pod pod = pod(8, c -> GpuRequest.share(20 + 10 * c, GpuMemory.mib(4_096 + 256L * c)));

        Decision decision = GpuScheduler.of(Spread.of()).schedule(cluster, pod);

        assertThat(((Placed) decision).certainty()).isEqualTo(Certainty.FOUND);
        assertThat(decision.toString()).endsWith("(the best found)");
        assertThat(((Placed) GpuScheduler.of(FirstFit.of()).schedule(cluster, pod)).certainty())
                .isEqualTo(Certainty.PROVEN);
    }

    @Test
    void aBudgetThatIsUsedUp_makesARefusalThatIsNotProven() {
        Cluster cluster = used(1, 8, g -> 100 + 30 * g, g -> 4_096 + 512 * g);
        Pod pod = pod(18, c -> GpuRequest.share(255 + 10 * c, GpuMemory.mib(1_000 + 256L * c)));
        GpuScheduler hasty =
                scheduler.toBuilder().budget(SearchBudget.ofSteps(10_000)).build();

        Unschedulable refusal = (Unschedulable) hasty.schedule(cluster, pod);

        assertThat(refusal.certainty()).isEqualTo(Certainty.LIMIT);
        assertThat(refusal.toString()).isEqualTo("unschedulable: pod \"p\" (LIMIT)");
        assertThat(refusal.diagnosis().toString()).contains("(the search reached its limit)");
        assertThat(hasty.budget().steps()).isEqualTo(10_000);
    }

    @Test
    void budget_outOfRange_isRefusedByName() {
        assertThatThrownBy(() -> SearchBudget.ofSteps(0))
                .hasMessage("search budget: steps must be in 1..1000000000000, got 0");
    }
}
