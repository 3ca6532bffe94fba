package io.gpusched.kubebench;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What one scheduler did with one shape.
 *
 * @param shape what was asked
 * @param contender the scheduler
 * @param bound how many pods were bound within the time that was given
 * @param toLastBind from the first pod that was created to the last that was bound
 * @param startCpu CPU time of the scheduler's process until it had bound one pod
 * @param cpu CPU time of the scheduler's process from there until all its writes had ended
 * @param peakResidentKib the most memory of that process that was resident at one time
 * @param writes what it wrote, by request
 * @param conflicts how many of its writes were refused because another had changed the object
 * @param othersCpu CPU time that other processes of this machine took meanwhile: neither schedulers, nor the server, nor the load
 */
public record Measurement(
        BenchShape shape,
        Contender contender,
        int bound,
        Duration toLastBind,
        Duration startCpu,
        Duration cpu,
        OptionalLong peakResidentKib,
        Map<String, Long> writes,
        long conflicts,
        Duration othersCpu) {
    /** Copies the map. */
    public Measurement {
        writes = Map.copyOf(writes);
    }

    /** Returns pods bound a second. */
    public double podsPerSecond() {
        return bound / seconds(toLastBind);
    }

    /** Returns milliseconds of CPU of the scheduler for each pod that it bound; its start left out. */
    public double cpuMillisPerPod() {
        return 1_000 * seconds(cpu) / bound;
    }

    /** Returns how many writes it made for each pod that it bound. */
    public double writesPerPod() {
        return (double) writes.values().stream().mapToLong(Long::longValue).sum() / bound;
    }

    /** Returns how many processors were busy with other things. */
    public double othersBusy() {
        return seconds(othersCpu) / seconds(toLastBind);
    }

    static double seconds(Duration time) {
        return time.toMillis() / 1_000.0;
    }
}
