package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.write.BindCounts;
import io.gpusched.model.ClusterTotals;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The metrics of a scheduler, as Prometheus reads them. Thread-safe. */
final class SchedulerMetrics implements BindCounts {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Supplier<View> view;
    private final Counter placed = counter("decisions", "result", "placed", "pods given a place");
    private final Counter refused = counter("decisions", "result", "refused", "pods found no place");
    private final Counter bound = counter("bindings", "result", "bound", "bindings written");
    private final Counter lost = counter("bindings", "result", "conflict", "bindings that the API server refused");
    private final Counter repeated = Counter.builder("gpusched.binding.retries")
            .description("writes tried again")
            .register(registry);
    private final Timer decision = Timer.builder("gpusched.decision")
            .description("how long a pod or a group takes to decide")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofNanos(10_000))
            .maximumExpectedValue(Duration.ofSeconds(10))
            .register(registry);

    /** The last thing that is read is what {@code view} returns when Prometheus asks. */
    SchedulerMetrics(Supplier<View> view) {
        this.view = view;
        for (PendingReason reason : PendingReason.values()) {
            gauge(
                    "pending.pods",
                    "reason",
                    reason.name().toLowerCase(Locale.ROOT),
                    "pods without a place",
                    one -> one.pendingByReason().getOrDefault(reason, 0));
        }
        gauge("queue", "state", "ready", "pods and groups that wait", View::ready);
        gauge("queue", "state", "delayed", "pods and groups that wait", View::delayed);
        gauge("queue", "state", "parked", "pods and groups that wait", View::parked);
        gauge("binding.pods", "state", "assumed", "pods that are about to be bound", View::binding);
        totals();
        new ProcessorMetrics().bindTo(registry);
    }

    private void totals() {
        total("nodes", "nodes", ClusterTotals::nodes);
        total("pods", "pods on nodes", ClusterTotals::pods);
        total("gpus", "GPUs", ClusterTotals::gpus);
        total("gpus.idle", "healthy GPUs of which nobody holds anything", ClusterTotals::idleGpus);
        total("gpu.compute.millis", "compute of all GPUs", ClusterTotals::gpuComputeMillis);
        total("gpu.compute.used.millis", "compute that pods hold", ClusterTotals::usedGpuComputeMillis);
        total("gpu.memory.mebibytes", "memory of all GPUs", ClusterTotals::gpuMemoryMib);
        total("gpu.memory.used.mebibytes", "memory that pods hold", ClusterTotals::usedGpuMemoryMib);
        total("gpu.fragmentation.ratio", "share of the free compute that is not on idle GPUs", totals -> {
            double free = totals.gpuComputeMillis() - totals.usedGpuComputeMillis();
            return free <= 0 ? 0 : Math.max(0, 1 - totals.idleGpus() * 1_000.0 / free);
        });
    }

    private Counter counter(String name, String tag, String value, String words) {
        return Counter.builder("gpusched." + name)
                .tag(tag, value)
                .description(words)
                .register(registry);
    }

    private void gauge(String name, String tag, String value, String words, ToDoubleFunction<View> number) {
        Gauge.builder("gpusched." + name, () -> number.applyAsDouble(view.get()))
                .tag(tag, value)
                .description(words)
                .register(registry);
    }

    private void total(String name, String words, ToDoubleFunction<ClusterTotals> number) {
        Gauge.builder(
                        "gpusched." + name,
                        () -> number.applyAsDouble(view.get().cluster().totals()))
                .description(words)
                .register(registry);
    }

    /** Counts what came of one decision that took this long. */
    void decided(long nanos, int placements, int refusals) {
        decision.record(Duration.ofNanos(nanos));
        placed.increment(placements);
        refused.increment(refusals);
    }

    @Override
    public void bound() {
        bound.increment();
    }

    @Override
    public void lost() {
        lost.increment();
    }

    @Override
    public void repeated() {
        repeated.increment();
    }

    /** Returns all, in the text form of Prometheus. */
    String text() {
        return registry.scrape();
    }
}
