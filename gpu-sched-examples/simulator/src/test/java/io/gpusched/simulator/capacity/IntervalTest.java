package io.gpusched.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.JobDemand;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.NodeTable;
import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of M/M/c queues, whose mean wait is known: Erlang's C formula. */
class IntervalTest {
    private static final int LISTS = 40;
    private static final double RUN_MINUTES = 60;

    private static double meanWaitMinutes(int gpus, double load) {
        double blocked = 1;
        for (int i = 1; i <= gpus; i++) {
            blocked = gpus * load * blocked / (i + gpus * load * blocked);
        }
        double waits = blocked / (1 - load + load * blocked);
        return waits * RUN_MINUTES / (gpus * (1 - load));
    }

    private static Scenario list(int gpus, double load, int jobs, List<Node> nodes, long seed) {
        RandomGenerator random = new Well19937c(seed);
        ExponentialDistribution gap = new ExponentialDistribution(random, 60 * RUN_MINUTES / (gpus * load));
        ExponentialDistribution run = new ExponentialDistribution(random, 60 * RUN_MINUTES);
        List<TraceJob> all = new ArrayList<>();
        double now = 0;
        for (int i = 0; i < jobs; i++) {
            all.add(TraceJob.of(
                    "j" + i, JobDemand.of(1, Resources.of(0, 0)), new Lifetime((long) now, (long) run.sample())));
            now += gap.sample();
        }
        return new Scenario("list", nodes, all);
    }

    @ParameterizedTest
    @CsvSource({"8, 0.8, 999, 0", "8, 0.8, 999, 12", "32, 0.9, 1000, 0"})
    void of95PercentIntervals_90To98PercentHoldTheTruth(int gpus, double load, int jobs, int blockHours) {
        double truth = meanWaitMinutes(gpus, load);
        List<Node> nodes = List.of(NodeTable.node("n", gpus, "V100"));
        Resampling resampling =
                new Resampling(LongStream.rangeClosed(1, 8).boxed().toList(), 3_600L * blockHours);
        int held = 0;
        for (int i = 0; i < LISTS; i++) {
            CapacityStudy study = new CapacityStudy(
                    list(gpus, load, jobs, nodes, 1_000 + i), ReplaySettings.DEFAULT, "bin-pack", resampling);
            Interval interval = study.play("now", nodes, 2)
                    .interval(RunNumbers::meanWaitMinutes)
                    .orElseThrow();
            held += interval.low() <= truth && truth <= interval.high() ? 1 : 0;
        }
        assertThat(100.0 * held / LISTS).isBetween(90.0, 98.0);
    }
}
