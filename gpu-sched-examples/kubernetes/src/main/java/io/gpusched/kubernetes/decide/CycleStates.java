package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.queue.SchedulingQueue;
import io.gpusched.kubernetes.quota.QueueBook;
import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import io.gpusched.queue.Backfill;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns what is known of pods, groups and queues into the jobs of a cycle. Pods that no cluster would take as they are, and those that
 * their queue or group keeps from starting, are refused and left out; what runs always counts in its queue. O(pods) for each cycle.
 */
final class CycleStates {
    private final ClusterBook book;
    private final PodTable pods;
    private final Map<GroupKey, GroupSpec> groups;
    private final GroupTally tally;
    private final Requests requests;
    private final Refusals refusals;
    private final SchedulingQueue<Unit> waits;
    private final JobBook jobs;
    private final QueueBook queues;
    private final JobBuilding building;

    CycleStates(
            ClusterBook book,
            PodTable pods,
            Map<GroupKey, GroupSpec> groups,
            GroupTally tally,
            Ranks ranks,
            Requests requests,
            Refusals refusals,
            SchedulingQueue<Unit> waits,
            JobBook jobs,
            QueueBook queues,
            Nominations nominations,
            Backfill backfill) {
        this.book = book;
        this.pods = pods;
        this.groups = groups;
        this.tally = tally;
        this.requests = requests;
        this.refusals = refusals;
        this.waits = waits;
        this.jobs = jobs;
        this.queues = queues;
        this.building = new JobBuilding(book, pods, ranks, nominations, backfill);
    }

    /**
     * Returns the jobs, the oldest first.
     *
     * @param now the time of the delays
     * @param time the time of the cycle
     * @param kept pods that are not to be evicted
     */
    List<JobInput> jobs(long now, long time, Set<PodId> kept, Decisions decisions) {
        queues.keep(running());
        List<JobInput> inputs = new ArrayList<>();
        for (Map.Entry<Unit, Map<PodId, JobPod>> entry : jobs.units().entrySet()) {
            List<JobPod> members = List.copyOf(entry.getValue().values());
            try {
                input(entry.getKey(), members, now, time, kept, decisions).ifPresent(inputs::add);
            } catch (RuntimeException e) {
                refuse(waiting(members), PendingReason.REFUSED, "the scheduler failed: " + e, decisions);
            }
        }
        inputs.sort(
                Comparator.comparingLong((JobInput input) -> input.job().spec().submitted())
                        .thenComparing(input -> input.job().name()));
        return inputs;
    }

    /** The queues in which pods run. */
    private Set<String> running() {
        Set<String> names = new HashSet<>();
        jobs.units().forEach((unit, members) -> {
            if (members.values().stream().anyMatch(JobPod::isBound)) {
                names.add(queue(spec(unit), List.copyOf(members.values())));
            }
        });
        return names;
    }

    private @Nullable GroupSpec spec(Unit unit) {
        return unit instanceof Unit.Group group ? groups.get(group.key()) : null;
    }

    /** What runs counts where it was started, whatever it and its group say by now, unless it could not be started there any more. */
    private String queue(@Nullable GroupSpec spec, List<JobPod> members) {
        List<String> started = members.stream()
                .flatMap(pod -> pod.terms().stream())
                .map(JobRecord::queue)
                .toList();
        String named = queues.named(
                spec == null || spec.queue().isBlank() ? members.get(0).queue() : spec.queue());
        return started.stream()
                .filter(queues::isLeaf)
                .findFirst()
                .orElse(queues.isLeaf(named) || started.isEmpty() ? named : started.get(0));
    }

    private Optional<JobInput> input(
            Unit unit, List<JobPod> members, long now, long time, Set<PodId> kept, Decisions decisions) {
        GroupSpec spec = spec(unit);
        String named = queue(spec, members);
        List<PendingPod> waiting = waiting(members);
        List<Request.Ready> ready = waiting.isEmpty() || waits.isDelayed(unit, now)
                ? List.of()
                : joining(spec, members, ready(unit, spec, named, members, waiting, decisions), time, decisions);
        if (!queues.isLeaf(named) && members.stream().noneMatch(JobPod::isBound)) {
            return Optional.empty();
        }
        String queue = queues.counting(named);
        int ended = ended(unit);
        try {
            return building.job(unit, spec, queue, members, ready, kept, ended, time);
        } catch (IllegalArgumentException e) {
            // what runs counts all the same
            refuse(waiting, PendingReason.REFUSED, String.valueOf(e.getMessage()), decisions);
            return building.job(unit, null, queue, members, List.of(), kept, ended, time);
        }
    }

    /** How many members have ended well, and are not missed. */
    private int ended(Unit unit) {
        return unit instanceof Unit.Group group
                ? tally.counts(group.key()).map(GroupCounts::succeeded).orElse(0)
                : 0;
    }

    private List<PendingPod> waiting(List<JobPod> members) {
        return pods.waiting(members.stream().map(JobPod::id).toList());
    }

    /** Those of the pods that wait that may be asked for; of the others it is said why not. */
    private List<Request.Ready> ready(
            Unit unit,
            @Nullable GroupSpec spec,
            String queue,
            List<JobPod> members,
            List<PendingPod> waiting,
            Decisions decisions) {
        String namespace = waiting.get(0).id().namespace();
        String problem = queues.refusal(
                queue, book.cluster().namespaces().getOrDefault(namespace, Map.of()), () -> requested(members));
        if (!problem.isEmpty()) {
            refuse(waiting, PendingReason.QUEUE, problem, decisions);
            return List.of();
        }
        if (unit instanceof Unit.Group group) {
            String why = problem(group, spec);
            if (!why.isEmpty()) {
                refuse(waiting, spec == null ? PendingReason.GROUP : PendingReason.NOT_HONOURED, why, decisions);
                return List.of();
            }
        }
        List<Request.Ready> ready = new ArrayList<>();
        Set<String> claims = new HashSet<>();
        for (PendingPod pod : waiting) {
            Request request = requests.of(pod, claims);
            if (request instanceof Request.Ready one) {
                ready.add(one.asking(one.manifest().onNodes(queues.nodes(queue))));
                claims.addAll(RunningPod.claims(pod.object()));
            } else {
                refusals.add((Request.Blocked) request, decisions);
            }
        }
        return spec == null ? ready : enough(unit, spec, ready, decisions);
    }

    private static String problem(Unit.Group group, @Nullable GroupSpec spec) {
        String name = "PodGroup \"" + group.key() + "\"";
        if (spec == null) {
            return name + group.key().vocabulary().notFound();
        }
        return spec.problem().isEmpty() ? "" : name + ": " + spec.problem();
    }

    /** A group of which too few pods are there, in all or of a role, waits for the others. */
    private List<Request.Ready> enough(Unit unit, GroupSpec spec, List<Request.Ready> ready, Decisions decisions) {
        Map<String, Integer> byRole = new HashMap<>();
        int there = ended(unit);
        for (JobPod pod : jobs.of(unit)) {
            PodRow row = pods.row(pod.id());
            if (!pod.isEnding() && row != null && row.isPlaced()) {
                byRole.merge(building.role(spec, pod.id(), List.of()), 1, Integer::sum);
                there++;
            }
        }
        for (Request.Ready one : ready) {
            byRole.merge(spec.roleOf(one.manifest().labels(), one.manifest().annotations()), 1, Integer::sum);
            there++;
        }
        String lack = ready.isEmpty() ? "" : lack(spec, there, byRole, ended(unit));
        if (lack.isEmpty()) {
            return ready;
        }
        String message = "PodGroup \"" + spec.key() + "\": " + lack;
        ready.forEach(one -> refusals.add(new Request.Blocked(one.pod(), PendingReason.GROUP, message), decisions));
        decisions.groups().add(new GroupResult(spec.key(), () -> message));
        return List.of();
    }

    /** Of which roles those were that have ended is not known. */
    private static String lack(GroupSpec spec, int there, Map<String, Integer> byRole, int ended) {
        if (there < spec.minimum()) {
            return "minimum is " + spec.minimum() + ", there are " + there + " pods that can start";
        }
        return spec.roleMinimums().entrySet().stream()
                .filter(role -> byRole.getOrDefault(role.getKey(), 0) + ended < role.getValue())
                .map(role -> "minimum of role \"" + role.getKey() + "\" is " + role.getValue() + ", there are "
                        + byRole.getOrDefault(role.getKey(), 0) + " pods that can start")
                .findFirst()
                .orElse("");
    }

    private List<Request.Ready> joining(
            @Nullable GroupSpec spec, List<JobPod> members, List<Request.Ready> ready, long time, Decisions decisions) {
        List<Request.Ready> outlasting = building.outlasting(spec, members, ready, time);
        if (outlasting.isEmpty()) {
            return ready;
        }
        String message = "it would outlast its group, which ends by activeDeadlineSeconds of its pods";
        outlasting.forEach(
                one -> refusals.add(new Request.Blocked(one.pod(), PendingReason.GROUP, message), decisions));
        return ready.stream().filter(one -> !outlasting.contains(one)).toList();
    }

    private void refuse(List<PendingPod> waiting, PendingReason reason, String message, Decisions decisions) {
        waiting.forEach(pod -> refusals.add(new Request.Blocked(pod, reason, message), decisions));
    }

    /** What all members request together, those that run as well: else they could come one after the other. */
    private static Map<String, BigDecimal> requested(List<JobPod> members) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        for (JobPod pod : members) {
            pod.requests().forEach((name, amount) -> sums.merge(name, amount, BigDecimal::add));
        }
        return sums;
    }
}
