package io.gpusched.queue;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for next: all that its minimum lacks, together, or one member more.
 *
 * @param job the number of the job
 * @param group the pods, as a group that starts whole
 * @param whole where members differ in what they ask, all of them that wait, with the minimum that they must start with: another choice
 *     than the first of them may find room; null where no other choice can be better
 * @param placed the members that run or have a place already
 * @param atLeast at least what the pods will hold together, whichever of the members start
 * @param wholeGpus how many whole GPUs the pods take at least, all of them together, whichever of the members start
 * @param isMinimum whether these are pods of the minimum, which start together
 * @param isAlone whether none of the pods looks at others around it, or must be close to others that run
 * @param kind tells whether another request asks for the same: requests of equal kinds get the same answers on the same snapshot; null
 *     if that cannot be told
 */
@SuppressWarnings("ArrayRecordComponent") // amounts are never compared
record Request(
        int job,
        PodGroup group,
        @Nullable PodGroup whole,
        Set<PodId> placed,
        long[] atLeast,
        int wholeGpus,
        boolean isMinimum,
        boolean isAlone,
        @Nullable Object kind) {
    /** What pods of one namespace and locality ask, in their order, one spec if all ask the same; and how many of them must start. */
    private record Kind(List<Placement.Spec> specs, int count, String namespace, Locality locality) {}

    static Request of(
            int job, PodGroup group, @Nullable PodGroup whole, Set<PodId> placed, long[] atLeast, boolean isMinimum) {
        List<Pod> pods = group.pods();
        boolean isAlone = pods.stream().allMatch(Request::isAlone);
        boolean isPlain = isAlone && group.groups().isEmpty() && group.roles().size() == 1;
        Object kind = isPlain ? kindOf(whole == null ? pods : whole.pods(), pods.size(), group.locality()) : null;
        long gpus = whole == null
                ? pods.stream().mapToLong(Request::wholeGpus).sum()
                : Members.least(whole, Request::wholeGpus);
        return new Request(job, group, whole, placed, atLeast, Math.toIntExact(gpus), isMinimum, isAlone, kind);
    }

    private static long wholeGpus(Pod pod) {
        long gpus = 0;
        for (Container container : pod.containers()) {
            if (container.kind() != ContainerKind.INIT && container.gpu() instanceof GpuRequest.Exclusive whole) {
                gpus += whole.count();
            }
        }
        return gpus;
    }

    private static boolean isAlone(Pod pod) {
        return pod.rules().equals(PodRules.NONE)
                && pod.group().stream()
                        .map(GroupMembership::all)
                        .flatMap(List::stream)
                        .allMatch(group -> group.locality().equals(Locality.ANYWHERE));
    }

    private static Kind kindOf(List<Pod> pods, int count, Locality locality) {
        Pod first = pods.get(0);
        boolean isEqual = areEqual(pods);
        List<Placement.Spec> specs = new ArrayList<>(List.of(first.spec()));
        if (!isEqual) {
            pods.subList(1, pods.size()).forEach(pod -> specs.add(pod.spec()));
        }
        return new Kind(specs, count, first.id().namespace(), locality);
    }

    /** Whether all pods ask for the same. */
    static boolean areEqual(List<Pod> pods) {
        Placement.Spec first = pods.get(0).spec();
        return pods.stream().allMatch(pod -> pod.spec() == first || pod.spec().equals(first));
    }

    List<Pod> pods() {
        return group.pods();
    }

    /** Whether this is one certain pod that may go anywhere. */
    boolean isPod() {
        return whole == null && group.locality().equals(Locality.ANYWHERE) && Members.size(group) == 1;
    }

    /** Returns this request for other GPU models than one. */
    Request withoutModel(String model) {
        PodGroup all = whole;
        return new Request(
                job,
                withoutModel(group, model),
                all == null ? null : withoutModel(all, model),
                placed,
                atLeast,
                wholeGpus,
                isMinimum,
                isAlone,
                null);
    }

    private static PodGroup withoutModel(PodGroup group, String model) {
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        role.minMember(),
                        role.pods().stream()
                                .map(pod -> withoutModel(pod, model))
                                .toList()))
                .toList();
        List<PodGroup> parts =
                group.groups().stream().map(part -> withoutModel(part, model)).toList();
        return new PodGroup(group.name(), group.minMember(), roles, group.locality(), parts, group.minGroups());
    }

    private static Pod withoutModel(Pod pod, String model) {
        return pod.withContainers(pod.containers().stream()
                .map(container -> new Container(
                        container.name(),
                        container.kind(),
                        container.resources(),
                        withoutModel(container.gpu(), model)))
                .toList());
    }

    private static GpuRequest withoutModel(GpuRequest request, String model) {
        GpuRequest[] others = request.alternatives().stream()
                .map(alternative -> {
                    GpuSelector selector = alternative.selector();
                    Set<String> denied = new HashSet<>(selector.deniedModels());
                    denied.add(model);
                    return alternative.withSelector(selector.withDeniedModels(denied));
                })
                .toArray(GpuRequest[]::new);
        return others.length == 1 ? others[0] : GpuRequest.firstOf(others);
    }

    /** Returns placements that were found for these pods as those of the members of the job, which may accept more GPU models. */
    static List<Placement> ofMembers(List<Placement> placements, List<Pod> members) {
        Map<PodId, Pod> own = new HashMap<>();
        members.forEach(pod -> own.put(pod.id(), pod));
        return placements.stream()
                .map(placement -> placement.withSpec(
                        Objects.requireNonNull(own.get(placement.pod()), "pod").spec()))
                .toList();
    }
}
