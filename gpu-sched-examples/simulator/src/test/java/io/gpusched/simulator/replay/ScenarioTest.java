package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {
    private static TraceJob job(String name, long arrival, long run) {
        return TraceJob.of(
                TracePod.of(name, Resources.of(1_000, 1), 8, 1_000, "").withLifetime(new Lifetime(arrival, run)));
    }

    private final Scenario scenario =
            new Scenario("s", GangTrace.nodes(2), List.of(job("late", 100, 50), job("early", 0, 100)));

    @Test
    void jobs_standByArrival() {
        assertThat(scenario.jobs()).extracting(TraceJob::name).containsExactly("early", "late");
        assertThat(scenario.spanSeconds()).isEqualTo(100);
    }

    @Test
    void load_isWhatIsAskedForAsAPartOfWhatThereIs() {
        // 8 GPUs for 150 seconds of 16 GPUs for 100.
        assertThat(scenario.load()).isEqualTo(0.75);
        assertThat(scenario.gpuMillis()).isEqualTo(16_000);
    }

    @Test
    void load_ofChoicePressesArrivalsTogether() {
        Scenario pressed = scenario.withLoad(1.5);
        assertThat(pressed.spanSeconds()).isEqualTo(50);
        assertThat(pressed.load()).isEqualTo(1.5);
        assertThat(pressed.jobs()).extracting(it -> it.lifetime().runSeconds()).containsExactly(100L, 50L);
    }

    @Test
    void load_ofAGeneratedWorkloadIsMet() {
        Scenario generated = Scenario.of(GeneratedWorkload.of(1, 0.02, 2));
        assertThat(generated.withLoad(0.5).load()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void scenario_withoutJobsHasNoSpan() {
        assertThat(new Scenario("s", GangTrace.nodes(1), List.of()).spanSeconds())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 1, 'failuresPerDay must be in 0.0..100000.0, got -1.0'",
        "0, 100001, 1, 'drainsPerDay must be in 0.0..100000.0, got 100001.0'",
        "0, 0, 0, 'hours must be in 0.01..1000.0, got 0.0'",
        "NaN, 0, 1, 'failuresPerDay must be in 0.0..100000.0, got NaN'",
    })
    void disruptions_outOfRangeAreRefused(double failures, double drains, double hours, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Disruptions(failures, drains, hours))
                .withMessage("disruptions: " + message);
    }

    @Test
    void disruptions_comeAsOftenAsAsked() {
        List<Event> events = new Disruptions(24, 48, 2).events(10, 100 * 86_400L, 1);
        long failures =
                events.stream().filter(event -> event.kind() == Event.Kind.FAIL).count();
        long drains = events.stream()
                .filter(event -> event.kind() == Event.Kind.DRAIN)
                .count();
        // Poisson: 2,400 and 4,800 expected, standard deviations 49 and 69.
        assertThat(failures).isBetween(2_200L, 2_600L);
        assertThat(drains).isBetween(4_500L, 5_100L);
        assertThat(events)
                .filteredOn(event -> event.kind() == Event.Kind.RETURN)
                .hasSize((int) (failures + drains));
        assertThat(events).allMatch(event -> event.index() >= 0 && event.index() < 10);
        assertThat(new Disruptions(24, 48, 2).events(10, 100 * 86_400L, 1)).isEqualTo(events);
    }

    @Test
    void noDisruptions_areNoEvents() {
        assertThat(Disruptions.NONE.events(10, 86_400, 1)).isEmpty();
    }
}
