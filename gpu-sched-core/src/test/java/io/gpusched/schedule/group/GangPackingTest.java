package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Groups of unlike shares that ask for less than there is and yet do not go onto the GPUs. To try the ways there are takes millions
 * of steps; that the shares are too large to lie side by side is seen in a few.
 */
class GangPackingTest {
    private static final int FEW_STEPS = 20_000;

    /** Two nodes of four GPUs with 1,000 MiB each. */
    private static Cluster idle() {
        return Cluster.of(IntStream.range(0, 2)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(64_000, 64_000)
                        .gpus(4, Nodes.BIG)
                        .build())
                .toList());
    }

    private static List<Pod> pods(String prefix, int count, IntFunction<GpuRequest> request) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(Pod.of(prefix + i, Resources.of(1, 1), request.apply(i)));
        }
        return pods;
    }

    private static GroupDecision decide(Cluster cluster, PodGroup group) {
        return GpuScheduler.builder()
                .budget(SearchBudget.ofSteps(FEW_STEPS))
                .build()
                .schedule(cluster, group);
    }

    private static void assertRefusedForCertain(Cluster cluster, PodGroup group) {
        assertThat(decide(cluster, group))
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        refused -> assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN));
    }

    private static PodGroup group(List<Pod> pods) {
        return PodGroup.of("group", pods);
    }

    /** 334 to 350 milli: two on each GPU, three on none. */
    private static GpuRequest overAThird(int i) {
        return GpuRequest.share(334 + i, GpuMemory.mib(1));
    }

    @Test
    void moreSharesThanLieSideBySideByCompute_areRefusedForCertain() {
        assertRefusedForCertain(idle(), group(pods("m", 17, GangPackingTest::overAThird)));
        assertThat(decide(idle(), group(pods("m", 16, GangPackingTest::overAThird))))
                .isInstanceOf(GroupPlaced.class);
    }

    @Test
    void moreSharesThanLieSideBySideByMemory_areRefusedForCertain() {
        IntFunction<GpuRequest> overAThird = i -> GpuRequest.share(1, GpuMemory.mib(334 + i));
        assertRefusedForCertain(idle(), group(pods("m", 17, overAThird)));
        assertThat(decide(idle(), group(pods("m", 16, overAThird)))).isInstanceOf(GroupPlaced.class);
    }

    @Test
    void whatOthersHoldOfTheGpus_liesBesideTheShares() {
        Cluster held = idle();
        for (int gpu = 0; gpu < 8; gpu++) {
            Pod pod = Pod.of("held" + gpu, Resources.of(1, 1), GpuRequest.share(340 + gpu, GpuMemory.mib(1)));
            held = held.with(GpuScheduler.of(Spread.of())
                    .place(held.node("n" + gpu / 4).orElseThrow(), pod)
                    .orElseThrow());
        }
        assertRefusedForCertain(held, group(pods("m", 9, GangPackingTest::overAThird)));
        assertThat(decide(held, group(pods("m", 8, GangPackingTest::overAThird))))
                .isInstanceOf(GroupPlaced.class);
    }

    @Test
    void theSmallestThatAreEnoughToStart_decide() {
        PodGroup more = group(pods("m", 20, GangPackingTest::overAThird));
        assertRefusedForCertain(idle(), more.withMinMember(17));
        assertThat(decide(idle(), more.withMinMember(16))).isInstanceOf(GroupPlaced.class);
    }
}
