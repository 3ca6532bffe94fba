package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrivalSequenceTest {
    private final Workload workload = GeneratedWorkload.of(1, 0.02, 1);

    @Test
    void shuffled_reachesTheDemandAndNotMore() {
        ArrivalSequence arrivals = ArrivalSequence.shuffled(workload, 42, 1.3);
        long asked = asked(arrivals.pods());
        long target = Math.round(1.3 * workload.gpuMillis());
        assertThat(asked).isBetween(target - 1_000, target + 7_000);
    }

    @Test
    void shuffled_keepsThePodsAndAppendsClones() {
        List<TracePod> pods = ArrivalSequence.shuffled(workload, 42, 1.3).pods();
        int originals = workload.pods().size();
        assertThat(pods.subList(0, originals)).containsExactlyInAnyOrderElementsOf(workload.pods());
        assertThat(pods.subList(originals, pods.size()))
                .isNotEmpty()
                .allMatch(pod -> pod.name().contains("-tuned-"));
        assertThat(pods).extracting(TracePod::name).doesNotHaveDuplicates();
    }

    @Test
    void shuffled_dropsPodsWhereMoreIsAskedFor() {
        List<TracePod> pods = ArrivalSequence.shuffled(workload, 42, 0.5).pods();
        assertThat(workload.pods()).containsAll(pods);
        assertThat(asked(pods)).isLessThanOrEqualTo(workload.gpuMillis() / 2);
    }

    @Test
    void shuffled_dependsOnTheSeedAlone() {
        assertThat(ArrivalSequence.shuffled(workload, 42, 1.3)).isEqualTo(ArrivalSequence.shuffled(workload, 42, 1.3));
        assertThat(ArrivalSequence.shuffled(workload, 42, 1.3).pods())
                .isNotEqualTo(ArrivalSequence.shuffled(workload, 43, 1.3).pods());
    }

    @Test
    void shuffled_ranksEveryNodeOnce() {
        assertThat(ArrivalSequence.shuffled(workload, 42, 1.3).nodeRanks())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, workload.nodes().size()).boxed().toList())
                .isNotEqualTo(
                        IntStream.range(0, workload.nodes().size()).boxed().toList());
    }

    @Test
    void recordedOrder_namesRowsThatComeAgain() {
        List<Integer> ranks =
                IntStream.range(0, workload.nodes().size()).boxed().toList();
        List<TracePod> pods = ArrivalSequence.of(workload, new ArrivalOrder(7, List.of(3, 1, 3, 1), ranks))
                .pods();
        assertThat(pods)
                .extracting(TracePod::name)
                .containsExactly("pod-00003", "pod-00001", "pod-00003-tuned-0", "pod-00001-tuned-1");
    }

    private static long asked(List<TracePod> pods) {
        return pods.stream().mapToLong(TracePod::totalGpuMillis).sum();
    }
}
