package io.gpusched.simulator.trace;

import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A job with its times: one pod, or a gang whose members start together or not at all.
 *
 * @param name its name
 * @param members its pods, at least one
 * @param lifetime when it came and how long it runs
 * @param others other sets of pods that would do as well, such as two of 8 GPUs instead of one of 16
 * @param demand what it asks for where the nodes say how many pods that makes; empty if its pods are as they are on any nodes
 */
public record TraceJob(
        String name,
        List<TracePod> members,
        Lifetime lifetime,
        List<List<TracePod>> others,
        Optional<JobDemand> demand) {
    /** The topology level within which the members of a gang are kept together where that is possible. */
    public static final String RACK = "rack";

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there is no member
     */
    public TraceJob {
        members = List.copyOf(members);
        others = List.copyOf(others);
        Objects.requireNonNull(demand, "demand");
        Objects.requireNonNull(lifetime, "lifetime");
        if (members.isEmpty()) {
            throw new IllegalArgumentException("job \"" + name + "\": at least one member expected, got none");
        }
    }

    /** A job whose pods are as they are, whatever the nodes. */
    public TraceJob(String name, List<TracePod> members, Lifetime lifetime) {
        this(name, members, lifetime, List.of(), Optional.empty());
    }

    /** Returns the job of what a list asks for, as nodes of 8 GPUs would run it; see {@link #on}. */
    public static TraceJob of(String name, JobDemand demand, Lifetime lifetime) {
        List<TracePod> members = demand.forms(name, NodeSizes.EIGHT).get(0);
        return new TraceJob(name, members, lifetime, List.of(), Optional.of(demand));
    }

    /** Returns this job with the pods that it has on nodes of these sizes. */
    public TraceJob on(NodeSizes sizes) {
        if (demand.isEmpty()) {
            return this;
        }
        List<List<TracePod>> forms = demand.get().forms(name, sizes);
        return new TraceJob(name, forms.get(0), lifetime, forms.subList(1, forms.size()), demand);
    }

    /** Returns this job for what cannot ask for one set of pods or another: on any nodes it has one. */
    public TraceJob inOneForm() {
        return new TraceJob(name, members, lifetime, List.of(), demand.map(JobDemand::inOneForm));
    }

    /** Returns a job for each set of pods, those of the fewest pods first. */
    public List<TraceJob> forms() {
        if (others.isEmpty()) {
            return List.of(this);
        }
        List<TraceJob> forms = new ArrayList<>(List.of(new TraceJob(name, members, lifetime)));
        others.forEach(pods -> forms.add(new TraceJob(name, pods, lifetime)));
        return forms;
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

    /**
     * Returns the members as a group that must stay within one domain of a topology level.
     *
     * @param level the level; empty for a group that prefers to stay within one rack
     */
    public PodGroup group(String level) {
        return level.isEmpty() ? group() : group().withLocality(Locality.within(level));
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
        return new TraceJob(
                other,
                named(members, other),
                lifetime,
                others.stream().map(pods -> named(pods, other)).toList(),
                demand);
    }

    private List<TracePod> named(List<TracePod> pods, String other) {
        return pods.stream()
                .map(pod -> pod.withName(pods.size() > 1 ? other + pod.name().substring(name.length()) : other))
                .toList();
    }

    /** Returns this job with another time to run. */
    public TraceJob withRun(long runSeconds) {
        return new TraceJob(name, members, new Lifetime(lifetime.arrivalSeconds(), runSeconds), others, demand);
    }

    /** Returns this job at another time of arrival. */
    public TraceJob at(long arrivalSeconds) {
        return new TraceJob(name, members, new Lifetime(arrivalSeconds, lifetime.runSeconds()), others, demand);
    }
}
