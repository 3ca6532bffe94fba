package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.GrantException;
import io.gpusched.manifests.grant.GrantedPods;
import io.gpusched.manifests.grant.PromiseRecord;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.FirstFit;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.Reservation;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is reserved for jobs, from one cycle to the next. The first cycle of a scheduler that starts goes by what was promised on pods;
 * later ones never read it. Not thread-safe.
 */
final class Reserved {
    private final ClusterBook book;
    private final Map<String, Reservation> byJob = new HashMap<>();
    private final Map<String, NodeState> empty = new HashMap<>();
    private final GpuScheduler anyPlace =
            GpuScheduler.builder().policy(FirstFit.of()).memory(0).build();
    private boolean isFirst = true;

    Reserved(ClusterBook book) {
        this.book = book;
    }

    /** Takes over what a plan reserves. */
    void remember(Plan plan) {
        isFirst = false;
        byJob.clear();
        plan.after()
                .jobs()
                .forEach(job -> job.reservation().ifPresent(reservation -> byJob.put(job.name(), reservation)));
        empty.keySet().retainAll(nodes());
    }

    private Set<String> nodes() {
        Set<String> nodes = new HashSet<>();
        byJob.values().forEach(one -> one.placements().forEach(place -> nodes.add(place.node())));
        return nodes;
    }

    /** Returns a job with what is reserved for it, as far as its pods still ask for the same and their nodes still take them. */
    Job with(JobInput input) {
        Job job = input.job();
        Map<PodId, Pod> pods = new HashMap<>();
        job.group().pods().forEach(pod -> pods.put(pod.id(), pod));
        Reservation reservation = isFirst ? promised(input, pods) : byJob.get(job.name());
        if (reservation == null || !reservation.placements().stream().allMatch(place -> isStill(place, input, pods))) {
            return job;
        }
        Set<PodId> first = new HashSet<>();
        reservation.placements().forEach(place -> first.add(place.pod()));
        return new Job(
                job.spec().withGroup(inFront(job.group(), first)),
                job.status().withReservation(Optional.of(reservation)));
    }

    private boolean isStill(Placement place, JobInput input, Map<PodId, Pod> pods) {
        Pod pod = pods.get(place.pod());
        NodeState node = book.cluster().node(place.node()).orElse(null);
        return pod != null
                && node != null
                && input.ready().containsKey(pod.id())
                && place.spec().equals(Optional.of(pod.spec()))
                && place.gpus().stream().allMatch(gpu -> gpu < node.gpuCount() && node.isHealthy(gpu))
                && anyPlace.place(empty(node.node()), pod).isPresent();
    }

    /** The node without what runs there. */
    @SuppressWarnings("ReferenceEquality") // it is the same object until the node changes
    private NodeState empty(Node node) {
        NodeState known = empty.get(node.name());
        if (known == null || known.node() != node) {
            known = Cluster.of(List.of(node)).node(node.name()).orElseThrow();
            empty.put(node.name(), known);
        }
        return known;
    }

    /** The group in which some pods come first in their roles, so that these start together. */
    private static PodGroup inFront(PodGroup group, Set<PodId> first) {
        List<PodGroup.Role> roles = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = role.pods().stream()
                    .sorted(Comparator.comparing(pod -> !first.contains(pod.id())))
                    .toList();
            roles.add(new PodGroup.Role(role.name(), role.minMember(), pods));
        }
        List<PodGroup> parts =
                group.groups().stream().map(part -> inFront(part, first)).toList();
        return new PodGroup(group.name(), group.minMember(), roles, group.locality(), parts, group.minGroups());
    }

    private @Nullable Reservation promised(JobInput input, Map<PodId, Pod> pods) {
        List<Placement> places = new ArrayList<>();
        long start = Long.MIN_VALUE;
        for (Request.Ready ready : input.ready().values()) {
            Optional<PromiseRecord> promise = PromiseRecord.of(ready.pod().object());
            Pod pod = pods.get(ready.pod().id());
            if (promise.isPresent() && pod != null) {
                place(ready, promise.get().grant())
                        .ifPresent(place -> places.add(place.withSpec(pod.spec())
                                .withGroup(Optional.ofNullable(
                                        input.job().group().memberships().get(pod.id())))));
                start = Math.max(start, promise.get().start());
            }
        }
        return places.isEmpty() ? null : new Reservation(start, places);
    }

    private Optional<Placement> place(Request.Ready ready, String grant) {
        Optional<NodeState> node = PromiseRecord.node(grant).flatMap(book.cluster()::node);
        try {
            return node.flatMap(one -> GrantedPods.placement(
                    ready.manifest().withAnnotations(Map.of(GrantAnnotations.GRANT, grant)),
                    one,
                    ready.named().dialect()));
        } catch (GrantException | RefusedException e) {
            return Optional.empty();
        }
    }
}
