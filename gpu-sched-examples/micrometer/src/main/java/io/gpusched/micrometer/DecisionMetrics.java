package io.gpusched.micrometer;

import io.gpusched.schedule.Decided;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Counts the decisions of a scheduler: {@code gpusched.decisions} with {@code outcome} (placed, refused) and {@code certainty} (proven,
 * found, limit), and {@code gpusched.decision.steps}, the steps of the search budget that each took. Thread-safe; several schedulers may
 * share it.
 */
public final class DecisionMetrics implements Consumer<Decided> {
    private final MeterRegistry registry;
    private final DistributionSummary steps;

    /** Registers the meters. */
    public DecisionMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.steps = DistributionSummary.builder("gpusched.decision.steps")
                .description("Steps of the search budget that a decision took")
                .register(registry);
    }

    @Override
    public void accept(Decided decided) {
        Counter.builder("gpusched.decisions")
                .description("Decisions about pods and groups")
                .tag("outcome", decided.isPlaced() ? "placed" : "refused")
                .tag("certainty", decided.certainty().name().toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
        steps.record((double) decided.steps());
    }
}
