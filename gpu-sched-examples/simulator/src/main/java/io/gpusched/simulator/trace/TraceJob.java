package io.gpusched.simulator.trace;

import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Objects;

/**
 * A job with its times: one pod, or a gang whose members start together or not at all.
 *
 * @param name its name
 * @param members its pods, at least one
 * @param lifetime when it came and how long it runs
 */
public record TraceJob(String name, List<TracePod> members, Lifetime lifetime) {
    /** The topology level within which the members of a gang are kept together where that is possible. */
    public static final String RACK = "rack";

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there is no member
     */
    public TraceJob {
        members = List.copyOf(members);
        Objects.requireNonNull(lifetime, "lifetime");
        if (members.isEmpty()) {
            throw new IllegalArgumentException("job \"" + name + "\": at least one member expected, got none");
        }
    }

    /**
     * Returns the job of a single pod.
     *
     * @throws IllegalArgumentException if the pod has no times
     */
    public static TraceJob of(TracePod pod) {
        Lifetime lifetime = pod.lifetime()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "pod \"" + pod.name()
                                        + "\" has no times, so it cannot be replayed\nMaybe the pod list lacks creation_time and deletion_time."));
        return new TraceJob(pod.name(), List.of(pod), lifetime);
    }

    /** Returns whether it has more than one member. */
    public boolean isGang() {
        return members.size() > 1;
    }

    /** Returns the members as a group that prefers to stay within one rack. */
    public PodGroup group() {
        return PodGroup.of(name, members.stream().map(TracePod::pod).toList())
                .withLocality(Locality.within(RACK).preferred());
    }

    /** Returns the GPU compute of all members, in thousandths of a GPU. */
    public long gpuMillis() {
        return members.stream().mapToLong(TracePod::totalGpuMillis).sum();
    }

    /** Returns the names of the members. */
    public List<PodId> pods() {
        return members.stream().map(member -> member.pod().id()).toList();
    }

    /** Returns this job under another name, its pods too. */
    public TraceJob withName(String other) {
        List<TracePod> pods = members.stream()
                .map(member -> member.withName(isGang() ? other + member.name().substring(name.length()) : other))
                .toList();
        return new TraceJob(other, pods, lifetime);
    }

    /** Returns this job with another time to run. */
    public TraceJob withRun(long runSeconds) {
        return new TraceJob(name, members, new Lifetime(lifetime.arrivalSeconds(), runSeconds));
    }

    /** Returns this job at another time of arrival. */
    public TraceJob at(long arrivalSeconds) {
        return new TraceJob(name, members, new Lifetime(arrivalSeconds, lifetime.runSeconds()));
    }
}
