package io.gpusched.micrometer;

import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Counts what planning cycles decide: {@code gpusched.plan.steps} with {@code step} (bind, evict, move, nominate, reserve, withdraw) and
 * {@code pass}; {@code gpusched.jobs.pending} with {@code reason}, as of the last plan; {@code gpusched.plan}, how long planning took, for
 * plans that were made within {@link #time}. For one cycle; as little thread-safe as the cycle.
 */
public final class CycleMetrics implements Consumer<Plan> {
    private final MeterRegistry registry;
    private final MultiGauge pending;
    private final Timer planning;

    /** Registers the meters. */
    public CycleMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.pending = MultiGauge.builder("gpusched.jobs.pending")
                .description("Jobs with members that stay pending after the last plan")
                .register(registry);
        this.planning = Timer.builder("gpusched.plan")
                .description("Time to plan one cycle")
                .register(registry);
    }

    /** Runs what makes a plan, and times it. */
    public Plan time(Supplier<Plan> planner) {
        return Objects.requireNonNull(planning.record(planner), "plan");
    }

    @Override
    public void accept(Plan plan) {
        for (PlanStep step : plan.steps()) {
            Counter.builder("gpusched.plan.steps")
                    .description("Steps of plans")
                    .tag("step", name(step))
                    .tag("pass", step.pass().name().toLowerCase(Locale.ROOT))
                    .register(registry)
                    .increment();
        }
        Map<String, Long> reasons = plan.pending().stream()
                .map(PendingJob::reason)
                .collect(Collectors.groupingBy(CycleMetrics::name, TreeMap::new, Collectors.counting()));
        pending.register(
                reasons.entrySet().stream()
                        .map(reason -> MultiGauge.Row.of(Tags.of("reason", reason.getKey()), reason.getValue()))
                        .collect(Collectors.toList()),
                true);
    }

    /** The name of a step or reason as a tag: {@code over-limit} for {@code OverLimit}. */
    private static String name(Object value) {
        return value.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }
}
