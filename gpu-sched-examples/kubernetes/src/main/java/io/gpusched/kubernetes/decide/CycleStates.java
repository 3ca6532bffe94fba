package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import io.gpusched.queue.Plan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns what is known of pods, groups and queues into the jobs of a cycle. Pods that no cluster would take as they are, and those that
 * their queue or group keeps from starting, are refused and left out; what runs always counts in its queue. O(pods) for each cycle.
 */
final class CycleStates {
    private final Tables tables;
    private final Requests requests;
    private final Refusals refusals;
    private final Delays delays;
    private final SharedVolumes volumes;
    private final JobBuilding building;

    CycleStates(
            Tables tables,
            Requests requests,
            Refusals refusals,
            Delays delays,
            SharedVolumes volumes,
            JobBuilding building) {
        this.tables = tables;
        this.requests = requests;
        this.refusals = refusals;
        this.delays = delays;
        this.volumes = volumes;
        this.building = building;
    }

    /**
     * A pod or group before it is a job.
     *
     * @param spec the object of the group; null for a pod by itself
     * @param queue the queue that it is in, as pods name it
     * @param ready the pods that wait and may be asked for
     */
    private record Draft(
            Unit unit, @Nullable GroupSpec spec, String queue, List<JobPod> members, List<Request.Ready> ready) {}

    /** A round begins, which may make several plans. */
    void begin() {
        building.begin();
        volumes.begin();
    }

    /** Returns whether the jobs are to be planned again, as they ask for something else now that this plan is known. */
    boolean isToBeAskedAgain(Plan plan, Map<String, JobInput> inputs) {
        Map<PodId, Request.Ready> ready = new HashMap<>();
        inputs.values().forEach(input -> ready.putAll(input.ready()));
        boolean again = volumes.exceed(plan, ready);
        Set<String> started = new HashSet<>();
        plan.bindings().forEach(step -> started.add(step.job()));
        for (JobInput input : inputs.values()) {
            if (input.isNarrowed()
                    && !input.ready().isEmpty()
                    && !started.contains(input.job().name())) {
                building.widen(input.unit());
                again = true;
            }
        }
        return again;
    }

    /**
     * Returns the jobs, the oldest first.
     *
     * @param now the time of the delays
     * @param time the time of the cycle
     * @param kept pods that are not to be evicted
     */
    List<JobInput> jobs(long now, long time, Set<PodId> kept, Decisions decisions) {
        tables.queues().keep(running());
        List<Draft> drafts = new ArrayList<>();
        tables.jobs().units().forEach((unit, byId) -> {
            List<JobPod> members = List.copyOf(byId.values());
            guarded(members, decisions, () -> drafts.add(draft(unit, members, now, time, decisions)));
        });
        volumes.count(drafts.stream().flatMap(draft -> draft.ready().stream()).toList());
        List<JobInput> inputs = new ArrayList<>();
        for (Draft draft : drafts) {
            guarded(
                    draft.members(),
                    decisions,
                    () -> input(draft, time, kept, decisions)
                            .map(input -> inOrder(input, now, time))
                            .ifPresent(inputs::add));
        }
        inputs.sort(
                Comparator.comparingLong((JobInput input) -> input.job().spec().submitted())
                        .thenComparing(input -> input.job().name()));
        return inputs;
    }

    /** One that the API server refused again and again, as of a namespace that is being deleted, comes after those that waited then. */
    private JobInput inOrder(JobInput input, long now, long time) {
        OptionalLong failed = delays.failedAgain(input.unit());
        return failed.isEmpty() || input.job().isRunning()
                ? input
                : input.submitted(Math.max(input.job().spec().submitted(), time - (now - failed.getAsLong())));
    }

    /** What fails takes out its own pod or group. */
    private void guarded(List<JobPod> members, Decisions decisions, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError e) {
            refuse(waiting(members), PendingReason.REFUSED, "the scheduler failed: " + e, decisions);
        }
    }

    /** The queues in which pods run. */
    private Set<String> running() {
        Set<String> names = new HashSet<>();
        tables.jobs().units().forEach((unit, members) -> {
            if (members.values().stream().anyMatch(JobPod::isBound)) {
                names.add(queue(spec(unit), List.copyOf(members.values())));
            }
        });
        return names;
    }

    private @Nullable GroupSpec spec(Unit unit) {
        return unit instanceof Unit.Group group ? tables.groups().get(group.key()) : null;
    }

    /** What runs counts where it was started, whatever it and its group say by now, unless it could not be started there any more. */
    private String queue(@Nullable GroupSpec spec, List<JobPod> members) {
        List<String> started = members.stream()
                .flatMap(pod -> pod.terms().stream())
                .map(JobRecord::queue)
                .toList();
        String named = tables.queues()
                .named(spec == null || spec.queue().isBlank() ? members.get(0).queue() : spec.queue());
        return started.stream()
                .filter(tables.queues()::isLeaf)
                .findFirst()
                .orElse(tables.queues().isLeaf(named) || started.isEmpty() ? named : started.get(0));
    }

    private Draft draft(Unit unit, List<JobPod> members, long now, long time, Decisions decisions) {
        GroupSpec spec = spec(unit);
        String queue = queue(spec, members);
        List<PendingPod> waiting = waiting(members);
        List<Request.Ready> ready = waiting.isEmpty() || delays.isDelayed(unit, now)
                ? List.of()
                : joining(spec, members, ready(unit, spec, queue, members, waiting, decisions), time, decisions);
        return new Draft(unit, spec, queue, members, ready);
    }

    private Optional<JobInput> input(Draft draft, long time, Set<PodId> kept, Decisions decisions) {
        List<JobPod> members = draft.members();
        if (!tables.queues().isLeaf(draft.queue()) && members.stream().noneMatch(JobPod::isBound)) {
            return Optional.empty();
        }
        String queue = tables.queues().counting(draft.queue());
        int ended = ended(draft.unit());
        try {
            List<Request.Ready> asked =
                    draft.ready().stream().map(volumes::asked).toList();
            return building.job(draft.unit(), draft.spec(), queue, members, asked, kept, ended, time);
        } catch (IllegalArgumentException e) {
            // what runs counts all the same
            refuse(waiting(members), PendingReason.REFUSED, String.valueOf(e.getMessage()), decisions);
            return building.job(draft.unit(), null, queue, members, List.of(), kept, ended, time);
        }
    }

    /** How many members have ended well, and are not missed. */
    private int ended(Unit unit) {
        return unit instanceof Unit.Group group
                ? tables.tally().counts(group.key()).map(GroupCounts::succeeded).orElse(0)
                : 0;
    }

    private List<PendingPod> waiting(List<JobPod> members) {
        return tables.pods().waiting(members.stream().map(JobPod::id).toList());
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
        String problem = tables.queues()
                .refusal(
                        queue,
                        tables.book().cluster().namespaces().getOrDefault(namespace, Map.of()),
                        () -> requested(members));
        if (!problem.isEmpty()) {
            return none(spec, waiting, PendingReason.QUEUE, problem, decisions);
        }
        if (unit instanceof Unit.Group group) {
            String why = problem(group, spec);
            if (!why.isEmpty()) {
                PendingReason reason = spec == null ? PendingReason.GROUP : PendingReason.NOT_HONOURED;
                return none(spec, waiting, reason, why, decisions);
            }
        }
        List<Request.Ready> ready = new ArrayList<>();
        Set<String> claims = new HashSet<>();
        for (PendingPod pod : waiting) {
            Request request = requests.of(pod, claims);
            if (request instanceof Request.Ready one) {
                ready.add(one.asking(one.manifest().onNodes(tables.queues().nodes(queue))));
                claims.addAll(RunningPod.claims(pod.object()));
            } else {
                refusals.add((Request.Blocked) request, decisions);
            }
        }
        return spec == null ? ready : enough(unit, spec, together(ready, decisions), decisions);
    }

    private List<Request.Ready> together(List<Request.Ready> ready, Decisions decisions) {
        List<Request.Ready> together = new ArrayList<>();
        for (Request.Ready one : ready) {
            Request request = requests.together(one, ready);
            if (request instanceof Request.Ready asking) {
                together.add(asking);
            } else {
                refusals.add((Request.Blocked) request, decisions);
            }
        }
        return together;
    }

    private static String problem(Unit.Group group, @Nullable GroupSpec spec) {
        String name = "PodGroup \"" + group.key() + "\"";
        if (spec == null) {
            return name + group.key().vocabulary().notFound();
        }
        return spec.problem().isEmpty() ? "" : name + ": " + spec.problem();
    }

    /** A group with too few pods, in all or of a role, waits for the others. */
    private List<Request.Ready> enough(Unit unit, GroupSpec spec, List<Request.Ready> ready, Decisions decisions) {
        Map<String, Integer> byRole = new HashMap<>();
        int there = ended(unit);
        for (JobPod pod : tables.jobs().of(unit)) {
            PodRow row = tables.pods().row(pod.id());
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
        return none(spec, ready.stream().map(Request.Ready::pod).toList(), PendingReason.GROUP, message, decisions);
    }

    /** None of the pods that wait may be asked for, which is said of each of them and of their group. */
    private List<Request.Ready> none(
            @Nullable GroupSpec spec,
            List<PendingPod> waiting,
            PendingReason reason,
            String message,
            Decisions decisions) {
        refuse(waiting, reason, message, decisions);
        if (spec != null) {
            decisions.groups().add(new GroupResult(spec.key(), () -> message));
        }
        return List.of();
    }

    /** Of which roles those were that have ended is not known. */
    private static String lack(GroupSpec spec, int there, Map<String, Integer> byRole, int ended) {
        if (there < spec.minimum()) {
            return "minimum is " + spec.minimum() + ", " + thatCanStart(there);
        }
        return spec.roleMinimums().entrySet().stream()
                .filter(role -> byRole.getOrDefault(role.getKey(), 0) + ended < role.getValue())
                .map(role -> "minimum of role \"" + role.getKey() + "\" is " + role.getValue() + ", "
                        + thatCanStart(byRole.getOrDefault(role.getKey(), 0)))
                .findFirst()
                .orElse("");
    }

    private static String thatCanStart(int pods) {
        return (pods == 1 ? "there is 1 pod" : "there are " + pods + " pods") + " that can start";
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

    /** What all members request together, running ones as well: else they could come one after the other. */
    private static Map<String, BigDecimal> requested(List<JobPod> members) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        for (JobPod pod : members) {
            pod.requests().forEach((name, amount) -> sums.merge(name, amount, BigDecimal::add));
        }
        return sums;
    }
}
