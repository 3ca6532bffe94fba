package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Resources;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.SharedTraces;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomPaperTest {
    private static double mean(Workload workload, int seeds, int percent) {
        return LongStream.range(42, 42 + seeds)
                .mapToObj(seed ->
                        PaperRuns.play(workload, PublishedOrder.of(workload, seed), "random-paper", RunListener.NONE))
                .mapToDouble((RunResult run) -> run.at(percent).allocatedPercent())
                .average()
                .orElseThrow();
    }

    @Test
    void allocation_isThePublishedOneOnAverage() {
        Workload workload = SharedTraces.workload("default");
        // Published means over ten seeds; three seeds of our own dice stray by twice 0.33 / sqrt(3) at most.
        assertThat(mean(workload, 3, 100)).isCloseTo(86.30, within(0.6));
        assertThat(mean(workload, 3, 130)).isCloseTo(87.47, within(0.6));
    }

    @Test
    void allocation_onAThirtiethOfTheTraceIsInTheReachOfThePublishedOne() {
        // A thirtieth of the cluster strays thirty times as much in variance: 0.33 * sqrt(30 / 40) over forty seeds,
        // and has coarser nodes; four points are what the other policies differ by there too.
        assertThat(mean(SmallTraces.workload(), 40, 100)).isCloseTo(86.30, within(4.0));
    }

    @Test
    void everyNodeThatFits_isTakenAboutAsOften() {
        Workload small = SmallTraces.workload();
        TracePod pod = TracePod.of("p", Resources.of(1, 1), 1, 1, "");
        Workload one = new Workload("one", small.nodes(), List.of(pod));
        Map<String, Integer> taken = new HashMap<>();
        int rounds = 8_200;
        List<Integer> ranks = PublishedOrder.of(small, 42).nodeRanks();
        for (int seed = 0; seed < rounds; seed++) {
            PaperRuns.play(
                    one,
                    new ArrivalOrder(seed, List.of(0), ranks),
                    "random-paper",
                    (it, placement) -> taken.merge(placement.orElseThrow().node(), 1, Integer::sum));
        }
        // 41 nodes, 200 hits expected on each, standard deviation 14.
        assertThat(taken).hasSize(41);
        assertThat(taken.values()).allMatch(hits -> hits > 130 && hits < 270);
    }
}
