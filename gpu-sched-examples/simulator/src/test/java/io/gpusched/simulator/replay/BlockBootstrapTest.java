package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockBootstrapTest {
    /** Ten hours with as many jobs in each as its number says. */
    private static Scenario scenario() {
        List<TraceJob> jobs = IntStream.range(0, 10)
                .boxed()
                .flatMap(hour -> IntStream.rangeClosed(0, hour)
                        .mapToObj(i -> TraceJob.of(TracePod.of("h" + hour + "-" + i, Resources.of(1, 1), 1, 1_000, "")
                                .withLifetime(new Lifetime(3_600L * hour + 60L * i, 100 + hour)))))
                .toList();
        return new Scenario("s", GangTrace.nodes(1), jobs);
    }

    @Test
    void eachBlock_isOneOfTheList_withTheTimesWithinIt() {
        Scenario drawn = BlockBootstrap.of(scenario(), 3_600, 7);
        Set<Integer> hours = new HashSet<>();
        for (int block = 0; block < 10; block++) {
            long from = 3_600L * block;
            List<TraceJob> jobs = drawn.jobs().stream()
                    .filter(job -> job.lifetime().arrivalSeconds() / 3_600 == from / 3_600)
                    .toList();
            int hour = (int) (jobs.get(0).lifetime().runSeconds() - 100);
            hours.add(hour);
            assertThat(jobs).hasSize(hour + 1);
            assertThat(jobs)
                    .extracting(job -> job.lifetime().arrivalSeconds() - from)
                    .containsExactlyElementsOf(IntStream.rangeClosed(0, hour)
                            .mapToObj(i -> 60L * i)
                            .toList());
        }
        assertThat(hours).as("with replacement").hasSizeBetween(3, 9);
        assertThat(drawn.jobs()).extracting(TraceJob::name).doesNotHaveDuplicates();
        assertThat(drawn.jobs()).flatExtracting(TraceJob::pods).doesNotHaveDuplicates();
    }

    @Test
    void aSeed_drawsTheSame_anotherSeedOthers() {
        assertThat(BlockBootstrap.of(scenario(), 3_600, 7)).isEqualTo(BlockBootstrap.of(scenario(), 3_600, 7));
        assertThat(BlockBootstrap.of(scenario(), 3_600, 8)).isNotEqualTo(BlockBootstrap.of(scenario(), 3_600, 7));
    }

    @Test
    void aBlockOfTheWholeTime_isTheList() {
        Scenario drawn = BlockBootstrap.of(scenario(), 1_000_000, 1);
        assertThat(drawn.jobs())
                .extracting(TraceJob::lifetime)
                .containsExactlyElementsOf(
                        scenario().jobs().stream().map(TraceJob::lifetime).toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockBootstrap.of(scenario(), 0, 1))
                .withMessage("bootstrap: blockSeconds must be at least 1, got 0");
    }
}
