package io.gpusched.replay;

import io.gpusched.model.PodId;
import io.gpusched.queue.JobSpec;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What became of one job: when it came, ran, and ended. Not thread-safe. */
final class Life {
    final JobSpec spec;
    final long arrived;

    /** Whether it was there when the history began. */
    final boolean isOld;

    private final Map<PodId, Long> gpuMillis = new HashMap<>();

    /** Since when pods run that run now. */
    final Map<PodId, Long> running = new HashMap<>();

    /** How long pods ran that ended by themselves. */
    final Map<PodId, Long> ran = new HashMap<>();

    /** What was lost of pods that were to end for others and have not been seen since. */
    final Map<PodId, Evicted> evicted = new HashMap<>();

    /** How long pods ran at last that were evicted or lost their node and have not run since. */
    final Map<PodId, Long> unfinished = new HashMap<>();

    OptionalLong started = OptionalLong.empty();
    OptionalLong gone = OptionalLong.empty();
    OptionalLong promised = OptionalLong.empty();
    /** What its pods hold that run now, in milli of GPUs. */
    long held;

    /** Whether fewer of its members run than its minimum. */
    boolean isWaiting;

    int evictions;
    long lost;

    Life(JobSpec spec, long arrived, boolean isOld) {
        this.spec = spec;
        this.arrived = arrived;
        this.isOld = isOld;
        for (Pod pod : spec.group().pods()) {
            gpuMillis.put(pod.id(), WorkloadProfile.demandOf(pod).totalGpuMillis());
        }
    }

    /** A pod was to end that ran since a time. */
    record Evicted(long since, long lost) {}

    String name() {
        return spec.name();
    }

    /** What its members ask, in milli of GPUs. */
    long gpuMillis() {
        return gpuMillis.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What a member asks, in milli of GPUs; 0 for one that came later. */
    long gpuMillis(PodId pod) {
        return gpuMillis.getOrDefault(pod, 0L);
    }

    JobOutcome outcome() {
        return new JobOutcome(
                name(),
                spec.queue(),
                gpuMillis(),
                arrived,
                isOld,
                started,
                gone,
                gone.isPresent() && !unfinished.isEmpty(),
                evictions,
                lost,
                promised);
    }
}
