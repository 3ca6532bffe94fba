package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.QueueResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a job asks next: all that its minimum lacks, together, or one member more. */
final class Ask {
    private final JobState job;
    private final PodGroup group;
    private final List<Pod> pods;

    /** The pods as members of the job, which may accept more GPU models. */
    private final List<Pod> members;

    private final long[] asked;
    private final int wholeGpus;
    private final boolean isMinimum;
    private final boolean isAlone;
    private final @Nullable Need need;

    /** What pods ask, of one namespace and locality: one spec if all ask the same, else the specs of all. */
    private record Need(List<Placement.Spec> specs, String namespace, Locality locality) {}

    Ask(JobState job, PodGroup group, long[] asked, boolean isMinimum) {
        this(job, group, group.pods(), asked, isMinimum);
    }

    private Ask(JobState job, PodGroup group, List<Pod> members, long[] asked, boolean isMinimum) {
        this.members = members;
        this.job = job;
        this.group = group;
        this.pods = group.pods();
        this.asked = asked;
        this.wholeGpus = wholeGpus(pods);
        this.isMinimum = isMinimum;
        this.isAlone = pods.stream().allMatch(Ask::isAlone);
        this.need = isAlone && group.groups().isEmpty() && group.roles().size() == 1 ? needOf(group) : null;
    }

    private static int wholeGpus(List<Pod> pods) {
        int gpus = 0;
        for (Pod pod : pods) {
            gpus += pod.containers().stream()
                    .filter(container -> container.kind() != ContainerKind.INIT)
                    .map(container -> container.gpu())
                    .filter(GpuRequest.Exclusive.class::isInstance)
                    .mapToInt(request -> ((GpuRequest.Exclusive) request).count())
                    .sum();
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

    private static Need needOf(PodGroup group) {
        List<Pod> pods = group.pods();
        Pod first = pods.get(0);
        List<Placement.Spec> specs = new ArrayList<>(List.of(first.spec()));
        if (!pods.stream().allMatch(pod -> pod.spec().equals(first.spec()))) {
            pods.subList(1, pods.size()).forEach(pod -> specs.add(pod.spec()));
        }
        return new Need(specs, first.id().namespace(), group.locality());
    }

    /** Returns a request for other GPU models than one that a queue may have no more of; null if it is refused for another reason. */
    @Nullable
    Ask otherwise(PendingReason reason) {
        QueueResource resource = reason instanceof PendingReason.OverLimit over
                ? over.resource()
                : reason instanceof PendingReason.OverDeserved over ? over.resource() : QueueResource.GPU;
        boolean isModel = resource.kind() == QueueResource.Kind.GPU_MODEL && reason.certainty() == Certainty.LIMIT;
        return isModel ? new Ask(job, OtherModel.of(group, resource.name()), members, asked, isMinimum) : null;
    }

    /** Returns placements that were found for the pods as those of the members. */
    List<Placement> ofMembers(List<Placement> placements) {
        Map<PodId, Pod> own = new HashMap<>();
        members.forEach(pod -> own.put(pod.id(), pod));
        return placements.stream()
                .map(placement -> placement.withSpec(
                        Objects.requireNonNull(own.get(placement.pod()), "pod").spec()))
                .toList();
    }

    JobState job() {
        return job;
    }

    /** The pods as a group that starts whole. */
    PodGroup group() {
        return group;
    }

    List<Pod> pods() {
        return pods;
    }

    /** Whether none of the pods looks at others around it, or must be close to others that run. */
    boolean isAlone() {
        return isAlone;
    }

    /** What tells whether another request asks for the same, but for the number of equal pods; null if that cannot be told. */
    @Nullable
    Object need() {
        return need;
    }

    /** At least what they take. */
    long[] asked() {
        return asked;
    }

    /** How many whole GPUs they take at least, all of them together. */
    int wholeGpus() {
        return wholeGpus;
    }

    /** Whether these are pods of the minimum, which start together. */
    boolean isMinimum() {
        return isMinimum;
    }

    /** Whether what it gets may never be evicted. */
    boolean isFixed() {
        return job.isFixed(isMinimum);
    }
}
