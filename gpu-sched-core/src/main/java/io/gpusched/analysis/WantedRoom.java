package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A kind of room that a {@link Defragmenter} is to make, counted in units: whole nodes, pods of a kind, or groups of them in one domain.
 *
 * <p>Example: {@code WantedRoom.pods(pod)} of a pod of 8 GPUs and 64 cores has as many units as such pods would fit.
 *
 * @param pod what a unit is made of; empty for nodes all of whose GPUs are idle
 * @param members how many of them make a unit, all in one domain of the level; 0 if a unit is a domain with one on every node with GPUs
 * @param level the level of the topology; empty where a unit is on one node
 * @param weight what a unit is worth, at least 1
 */
public record WantedRoom(Optional<Pod> pod, int members, String level, long weight) {
    private static final long MOST_WEIGHT = 1L << 40;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if members are negative, other than 1 without a level, or the weight is not in 1..2^40
     */
    public WantedRoom {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(level, "level");
        Checks.inRange(
                "wanted room", "members", members, level.isEmpty() ? 1 : 0, level.isEmpty() ? 1 : Integer.MAX_VALUE);
        Checks.inRange("wanted room", "weight", weight, 1, MOST_WEIGHT);
    }

    /** Nodes all of whose GPUs are idle and healthy, and which take new pods: not cordoned, nor marked so by Kubernetes. */
    public static WantedRoom wholeNodes() {
        return new WantedRoom(Optional.empty(), 1, "", 1);
    }

    /** Domains of a level all of whose nodes with GPUs are {@linkplain #wholeNodes() whole}. */
    public static WantedRoom wholeDomains(String level) {
        return new WantedRoom(Optional.empty(), 0, Checks.notBlank("wanted room", "level", level), 1);
    }

    /** One more pod like this one must fit; its rules between pods and its group are not looked at. */
    public static WantedRoom pods(Pod pod) {
        return new WantedRoom(Optional.of(Objects.requireNonNull(pod, "pod")), 1, "", 1);
    }

    /** Groups of so many pods like this one in one domain of a level; rules and groups of the pod are not looked at. */
    public static WantedRoom groups(Pod pod, int members, String level) {
        return new WantedRoom(
                Optional.of(Objects.requireNonNull(pod, "pod")),
                members,
                Checks.notBlank("wanted room", "level", level),
                1);
    }

    /**
     * What a workload asks: for each demand for GPUs and each partition profile, pods like it. A unit is worth as much as it is asked for
     * often, times the compute it takes in milli; of a partition, as if it were a whole GPU.
     */
    public static List<WantedRoom> of(WorkloadProfile profile) {
        Objects.requireNonNull(profile, "profile");
        List<WantedRoom> wanted = new ArrayList<>();
        for (Demand demand : profile.demands()) {
            if (demand.gpuCount() > 0) {
                wanted.add(pods(pod(demand)).withWeight(demand.weight() * demand.totalGpuMillis()));
            }
        }
        profile.partitions()
                .forEach((name, weight) ->
                        wanted.add(pods(Pod.of("wanted", Resources.NONE, GpuRequest.partition(name, 1)))
                                .withWeight(weight * Demand.WHOLE)));
        return List.copyOf(wanted);
    }

    private static Pod pod(Demand demand) {
        GpuSelector selector = demand.models().isEmpty()
                ? GpuSelector.ANY
                : GpuSelector.models(demand.models().toArray(String[]::new));
        GpuRequest gpu = demand.isWhole()
                ? GpuRequest.exclusive(demand.gpuCount(), selector)
                : new GpuRequest.Share(demand.gpuCount(), demand.gpuMillis(), GpuMemory.none(), 1, selector);
        return Pod.of("wanted", Resources.of(demand.cpuMillis(), demand.memoryMib()), gpu);
    }

    /** Returns this kind of room with another worth. */
    public WantedRoom withWeight(long worth) {
        return new WantedRoom(pod, members, level, worth);
    }

    /** Returns what it is, such as {@code whole nodes} or {@code groups of 8 pods like default/a in one rack}. */
    @Override
    public String toString() {
        String one = pod.map(any -> "pods like " + any.id()).orElse("whole nodes");
        if (level.isEmpty()) {
            return one;
        }
        return members == 0
                ? "domains of level " + level + " of " + one
                : "groups of " + members + " " + one + " in one " + level;
    }
}
