package io.gpusched.micrometer;

import io.gpusched.local.GpuMachine;
import io.gpusched.local.LeaseCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Shows what a machine counts of its leases: {@code gpusched.leases.held}, {@code .waiting}, {@code .granted}, {@code .abandoned},
 * {@code .recovered} and {@code .waited}, see {@link LeaseCounts}. Needs {@code gpu-sched-local} beside this artifact.
 */
public final class LeaseMetrics implements MeterBinder {
    private final GpuMachine machine;

    /** Creates the binder of a machine. */
    public LeaseMetrics(GpuMachine machine) {
        this.machine = Objects.requireNonNull(machine, "machine");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("gpusched.leases.held", machine, m -> m.counts().held()).register(registry);
        Gauge.builder("gpusched.leases.waiting", machine, m -> m.counts().waiting())
                .register(registry);
        count(registry, "granted", LeaseCounts::granted);
        count(registry, "abandoned", LeaseCounts::abandoned);
        count(registry, "recovered", LeaseCounts::recovered);
        TimeGauge.builder(
                        "gpusched.leases.waited",
                        machine,
                        TimeUnit.MILLISECONDS,
                        m -> m.counts().waited().toMillis())
                .register(registry);
    }

    private void count(MeterRegistry registry, String what, ToLongFunction<LeaseCounts> count) {
        FunctionCounter.builder("gpusched.leases." + what, machine, m -> count.applyAsLong(m.counts()))
                .register(registry);
    }
}
