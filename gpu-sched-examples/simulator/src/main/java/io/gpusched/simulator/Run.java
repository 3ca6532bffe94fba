package io.gpusched.simulator;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.Optional;

/**
 * One run: pods arrive one after another, are placed at once or refused for good, and nothing departs.
 *
 * <p>The protocol of "Beware of Fragmentation" (USENIX ATC 2023), section 6.
 */
public final class Run {
    private final CurveRecorder recorder;
    private final FragmentationMeter meter;
    private final RunListener listener;
    private Cluster cluster;
    private long arrivedMillis;
    private long usedMillis;
    private long fragments;
    private long nanos;

    private Run(Workload workload, TypicalMix mix, RunListener listener) {
        this.recorder = new CurveRecorder(workload.gpuMillis());
        this.meter = new FragmentationMeter(mix);
        this.listener = listener;
        this.cluster = Cluster.of(workload.nodes());
        this.fragments = meter.weighed(cluster.nodes());
    }

    /** Plays the arrivals and returns what came of it. */
    public static RunResult play(
            Workload workload,
            String policy,
            ArrivalSequence arrivals,
            TypicalMix mix,
            PodPlacer placer,
            RunListener listener) {
        Run run = new Run(workload, mix, listener);
        for (TracePod pod : arrivals.pods()) {
            run.arrive(pod, placer);
        }
        return new RunResult(
                workload.name(),
                policy,
                arrivals.seed(),
                run.recorder.curve(),
                arrivals.pods().size(),
                run.nanos,
                run.cluster);
    }

    private void arrive(TracePod pod, PodPlacer placer) {
        Cluster before = cluster;
        long start = System.nanoTime();
        Optional<Placement> placement = placer.place(before, pod);
        if (placement.isPresent()) {
            cluster = before.with(placement.get());
        }
        nanos += System.nanoTime() - start;
        arrivedMillis += pod.totalGpuMillis();
        placement.ifPresent(taken -> {
            usedMillis += pod.totalGpuMillis();
            fragments += meter.weighed(node(cluster, taken)) - meter.weighed(node(before, taken));
        });
        recorder.record(placement.isPresent(), arrivedMillis, usedMillis, (double) fragments / meter.weight());
        listener.decided(pod, placement);
    }

    private static NodeState node(Cluster cluster, Placement placement) {
        return cluster.node(placement.node()).orElseThrow();
    }
}
