package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.write.BindCounts;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.NodeState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** The metrics of a scheduler, as Prometheus reads them: base units, one prefix. Thread-safe. */
final class SchedulerMetrics implements BindCounts {
    private static final String DECISIONS = "Pods that were given a place, or found none.";
    private static final String BINDINGS = "Bindings that were written, or refused by the API server.";

    private static final String EVICTIONS =
            "Pods that were evicted for others, that a disruption budget kept for now, or whose eviction was refused.";

    private static final Duration[] WAITS = LongStream.of(1, 2, 5, 10, 30, 60, 300, 600, 3_600, 86_400)
            .mapToObj(Duration::ofSeconds)
            .toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Supplier<View> view;
    private final Counter placed = counter("decisions", "result", "placed", DECISIONS);
    private final Counter refused = counter("decisions", "result", "refused", DECISIONS);
    private final Counter bound = counter("bindings", "result", "bound", BINDINGS);
    private final Counter lost = counter("bindings", "result", "conflict", BINDINGS);
    private final Counter volumeTimeouts = Counter.builder("gpusched.volume.timeouts")
            .description("Pods that gave their place back because a volume was not made in time.")
            .register(registry);
    private final Counter repeated = Counter.builder("gpusched.binding.retries")
            .description("Writes of bindings that were tried again.")
            .register(registry);
    private final Counter evicted = counter("evictions", "result", "evicted", EVICTIONS);
    private final Counter blocked = counter("evictions", "result", "blocked", EVICTIONS);
    private final Counter refusedEvictions = counter("evictions", "result", "refused", EVICTIONS);
    private final Counter slipped = Counter.builder("gpusched.promises.slipped")
            .description("Promised starts that could not be kept: they are later now, or no promise any more.")
            .register(registry);
    private final Timer decision = Timer.builder("gpusched.decision")
            .description("How long a pod or a group took to decide.")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofNanos(10_000))
            .maximumExpectedValue(Duration.ofSeconds(10))
            .register(registry);
    private final Timer pod = Timer.builder("gpusched.pod.bound")
            .description("Time from the creation of a pod to its binding.")
            .serviceLevelObjectives(WAITS)
            .register(registry);
    private final MultiGauge gpuStates = MultiGauge.builder("gpusched.node.gpus")
            .description("GPUs of a node by what they are: idle, whole, shared, cut or unhealthy.")
            .register(registry);

    /**
     * Creates them; the last thing that is read is what {@code view} returns when Prometheus asks.
     *
     * @param leads asked for each answer: whether this process places pods
     */
    SchedulerMetrics(Supplier<View> view, BooleanSupplier leads) {
        this.view = view;
        for (PendingReason reason : PendingReason.values()) {
            gauge(
                    "pending.pods",
                    "reason",
                    reason.name().toLowerCase(Locale.ROOT),
                    "Pods without a place, by the reason of their last attempt.",
                    one -> one.pendingByReason().getOrDefault(reason, 0));
        }
        gauge("queue", "state", "ready", "Pods and groups that wait to be tried.", View::ready);
        gauge("queue", "state", "delayed", "Pods and groups that wait to be tried.", View::delayed);
        gauge("queue", "state", "parked", "Pods and groups that wait to be tried.", View::parked);
        gauge("binding.pods", "state", "assumed", "Pods that are about to be bound.", View::binding);
        Gauge.builder("gpusched.leader", () -> leads.getAsBoolean() ? 1 : 0)
                .description("1 if this process places pods, 0 if another does.")
                .register(registry);
        String version = SchedulerMetrics.class.getPackage().getImplementationVersion();
        Gauge.builder("gpusched.build.info", () -> 1)
                .tag("version", version == null ? "unknown" : version)
                .tag("java", System.getProperty("java.version", "unknown"))
                .description("1, with the version of the program.")
                .register(registry);
        Gauge.builder(
                        "gpusched.gpus.set.aside",
                        () -> view.get().setAside().stream()
                                .mapToInt(SetAside::gpus)
                                .sum())
                .description("GPUs that are held by pods without a readable grant.")
                .register(registry);
        totals();
        FunctionCounter.builder("process.cpu.seconds", ProcessHandle.current(), SchedulerMetrics::cpuSeconds)
                .description("CPU time that the process has used.")
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    private void totals() {
        total("nodes", "Nodes.", ClusterTotals::nodes);
        total("pods", "Pods on nodes.", ClusterTotals::pods);
        total("gpus", "GPUs.", ClusterTotals::gpus);
        total("gpus.idle", "Healthy GPUs on which no pod runs.", ClusterTotals::idleGpus);
        total("gpu.compute.gpus", "Compute of all GPUs, 1 for each.", totals -> totals.gpuComputeMillis() / 1_000.0);
        total(
                "gpu.compute.used.gpus",
                "Compute that pods hold, 1 for a whole GPU.",
                totals -> totals.usedGpuComputeMillis() / 1_000.0);
        total("gpu.memory.bytes", "Memory of all GPUs.", totals -> bytes(totals.gpuMemoryMib()));
        total("gpu.memory.used.bytes", "Memory of GPUs that pods hold.", totals -> bytes(totals.usedGpuMemoryMib()));
        total("gpu.fragmentation.ratio", "Share of the free compute that is not on idle GPUs.", totals -> {
            double free = totals.gpuComputeMillis() - totals.usedGpuComputeMillis();
            return free <= 0 ? 0 : Math.max(0, 1 - totals.idleGpus() * 1_000.0 / free);
        });
    }

    private static double bytes(long mib) {
        return mib * 1_048_576.0;
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

    private static void states(NodeState node, List<MultiGauge.Row<?>> rows) {
        Map<String, Integer> byState = new LinkedHashMap<>();
        for (String state : List.of("idle", "whole", "shared", "cut", "unhealthy")) {
            byState.put(state, 0);
        }
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            byState.merge(state(node, gpu), 1, Integer::sum);
        }
        byState.forEach(
                (state, count) -> rows.add(MultiGauge.Row.of(Tags.of("node", node.name(), "state", state), count)));
    }

    private static String state(NodeState node, int gpu) {
        if (!node.isHealthy(gpu)) {
            return "unhealthy";
        }
        if (node.isHeldWhole() || node.isWhole(gpu)) {
            return "whole";
        }
        return node.isCut(gpu) ? "cut" : node.isShared(gpu) ? "shared" : "idle";
    }

    /** Counts what came of one decision that took this long. */
    void decided(long nanos, int placements, int refusals) {
        decision.record(Duration.ofNanos(nanos));
        placed.increment(placements);
        refused.increment(refusals);
    }

    /** Counts something that cannot be taken as it is. */
    void troubled(String reason) {
        counter("troubles", "reason", reason, "Objects that cannot be taken as they are.")
                .increment();
    }

    /** Counts a pod that gave its place back because a volume was not made. */
    void volumeTimedOut() {
        volumeTimeouts.increment();
    }

    /** Counts a pod that was evicted for others. */
    void evicted() {
        evicted.increment();
    }

    /** Counts an eviction that a disruption budget forbade for now. */
    void blocked() {
        blocked.increment();
    }

    /** Counts an eviction that was refused and given up for some time. */
    void refused() {
        refusedEvictions.increment();
    }

    /** Counts a promised start that cannot be kept. */
    void slipped() {
        slipped.increment();
    }

    @Override
    public void bound(Duration sinceCreation) {
        bound.increment();
        pod.record(sinceCreation);
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
    synchronized String text() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        view.get().cluster().nodes().forEach(node -> {
            if (node.gpuCount() > 0) {
                states(node, rows);
            }
        });
        gpuStates.register(rows, true);
        return registry.scrape();
    }
}
