package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.forecast.Start;
import io.gpusched.manifests.grant.PromiseRecord;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.Reservation;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.queue.StartCertainty;
import io.gpusched.schedule.GpuScheduler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says when waiting pods are to start. What the plan itself reserves, which goes by limits of run time alone, is a promise where the rule
 * of backfill keeps it. For all others a second plan, which is not carried out, also believes how long pods are expected to run: an estimate.
 */
final class Forecasts {
    /** How often the second plan is made at most, and for which part of the time. */
    private static final long PAUSE_MILLIS = 10_000;

    private static final int PART = 10;

    private static final long LONGEST_PAUSE_MILLIS = 600_000;

    /** So many nodes are named. */
    private static final int MOST_NODES = 8;

    private final Backfill backfill;
    private final Clock clock;
    private final CycleSettings settings;
    private @Nullable PlacementPolicy policy;
    private @Nullable SchedulingCycle cycle;
    private Map<String, Start> told = Map.of();
    private long last = Long.MIN_VALUE / 2;
    private long pause = PAUSE_MILLIS;

    Forecasts(Backfill backfill, Clock clock) {
        this.clock = clock;
        this.backfill = backfill;
        this.settings = CycleSettings.standard()
                .withPasses(EnumSet.of(CyclePass.ALLOCATE, CyclePass.BACKFILL))
                .withBackfill(backfill == Backfill.NOBODY ? Backfill.NOBODY : Backfill.CONSERVATIVE);
    }

    /** Adds the starts to what was decided, if it is time for them. */
    void add(Plan plan, Map<String, JobInput> inputs, PlacementPolicy by, Decisions decisions) {
        long time = clock.millis();
        if (backfill == Backfill.ANYONE || Math.abs(time - last) < pause) {
            return;
        }
        last = time;
        Plan expected = plan(plan.after(), inputs, by, time);
        Set<PodId> starting = plan.bindings().stream().map(step -> step.pod()).collect(Collectors.toSet());
        for (PendingJob waiting : plan.pending()) {
            JobInput input = Objects.requireNonNull(inputs.get(waiting.job()));
            Map<PodId, String> promises = new HashMap<>();
            Start start = start(waiting, plan, expected, promises);
            List<ToldStart.Member> members = input.ready().values().stream()
                    .filter(ready -> !starting.contains(ready.pod().id()))
                    .map(ready -> new ToldStart.Member(
                            ready.pod(),
                            Optional.ofNullable(promises.get(ready.pod().id()))))
                    .toList();
            if (!members.isEmpty()) {
                decisions.starts().add(new ToldStart(waiting.job(), start, members, slips(waiting.job(), start)));
            }
        }
        addRefused(decisions);
        told = decisions.starts().stream().collect(Collectors.toMap(ToldStart::job, ToldStart::start));
        pause = Math.max(PAUSE_MILLIS, Math.min(LONGEST_PAUSE_MILLIS, PART * (clock.millis() - time)));
    }

    /** Whether a job was promised an earlier start than it is told now. */
    private boolean slips(String job, Start start) {
        Start before = told.get(job);
        return before != null
                && before.certainty() == Start.Certainty.BOUND
                && (start.certainty() != Start.Certainty.BOUND
                        || start.at().orElseThrow().isAfter(before.at().orElseThrow()));
    }

    /** What was told before does not stand once it is known that a job cannot start as it is. */
    private void addRefused(Decisions decisions) {
        Set<String> known = decisions.starts().stream().map(ToldStart::job).collect(Collectors.toSet());
        Map<String, List<Refusal>> refused = decisions.refusals().stream()
                .collect(Collectors.groupingBy(
                        refusal -> JobBuilding.nameOf(Unit.of(refusal.pod())),
                        LinkedHashMap::new,
                        Collectors.toList()));
        refused.forEach((job, refusals) -> {
            if (told.containsKey(job) && !known.contains(job)) {
                Start start = Start.unknown(firstLine(refusals.get(0).message().get()));
                List<ToldStart.Member> members = refusals.stream()
                        .map(refusal -> new ToldStart.Member(refusal.pod(), Optional.empty()))
                        .toList();
                decisions.starts().add(new ToldStart(job, start, members, false));
            }
        });
    }

    /** The plan for the remaining jobs, if all run as long as is expected. */
    private Plan plan(QueueState after, Map<String, JobInput> inputs, PlacementPolicy by, long time) {
        if (cycle == null || !by.equals(policy)) {
            policy = by;
            cycle = SchedulingCycle.of(settings, GpuScheduler.of(by));
        }
        List<Job> jobs = new ArrayList<>();
        for (Job job : after.jobs()) {
            JobSpec.Builder expecting = job.spec().toBuilder();
            JobInput input = inputs.get(job.name());
            if (input != null) {
                input.expected().ifPresent(expecting::expectedDuration);
            }
            jobs.add(job.withSpec(expecting.build()));
        }
        return cycle.plan(after.withJobs(jobs), time);
    }

    private Start start(PendingJob waiting, Plan plan, Plan expected, Map<PodId, String> promises) {
        PendingReason now = waiting.reason();
        Map<String, Job> jobs = plan.after().jobs().stream().collect(Collectors.toMap(Job::name, Function.identity()));
        Optional<Reservation> reserved =
                Objects.requireNonNull(jobs.get(waiting.job())).reservation();
        if (now instanceof PendingReason.Reserved sure
                && sure.certainStart() == StartCertainty.BOUND
                && reserved.isPresent()
                && isKept(Objects.requireNonNull(jobs.get(waiting.job())))) {
            promise(reserved.get(), plan.after().cluster(), promises);
            return start(Start.Certainty.BOUND, sure, reserved, jobs);
        }
        if (expected.reason(waiting.job()).orElse(now) instanceof PendingReason.Reserved about) {
            Optional<Reservation> there = expected.after().jobs().stream()
                    .filter(job -> job.name().equals(waiting.job()))
                    .findFirst()
                    .flatMap(Job::reservation);
            return start(Start.Certainty.ESTIMATE, about, there, jobs);
        }
        return Start.unknown(unknown(now));
    }

    private static String unknown(PendingReason now) {
        boolean isNotForWantOfRoom = now instanceof PendingReason.OverLimit
                || now instanceof PendingReason.OverDeserved
                || now instanceof PendingReason.Nominated
                || now instanceof PendingReason.Ending
                || now instanceof PendingReason.Behind;
        return isNotForWantOfRoom
                ? firstLine(CycleWords.of(now))
                : "no room even after the end of all pods whose end is known";
    }

    /** Whether what is reserved for a job is kept, whichever job comes later. */
    private boolean isKept(Job job) {
        return backfill == Backfill.CONSERVATIVE
                || backfill == Backfill.PROMISED && job.spec().promised();
    }

    private static void promise(Reservation reserved, Cluster cluster, Map<PodId, String> promises) {
        for (Placement place : reserved.placements()) {
            cluster.node(place.node())
                    .map(NodeState::node)
                    .ifPresent(node -> promises.put(
                            place.pod(),
                            PromiseRecord.of(reserved.start(), place, node).write()));
        }
    }

    private static Start start(
            Start.Certainty certainty,
            PendingReason.Reserved reason,
            Optional<Reservation> reserved,
            Map<String, Job> jobs) {
        return new Start(
                certainty,
                Optional.of(PromiseRecord.told(reason.start())),
                nodes(reserved.map(Reservation::placements).orElse(List.of())),
                reason.waitsFor().map(jobs::get).map(Forecasts::waitsFor).orElse(""));
    }

    private static String waitsFor(Job job) {
        List<String> nodes = nodes(job.running());
        return "waits for " + JobBuilding.inWords(job.name())
                + (nodes.isEmpty() ? "" : " on " + String.join(", ", nodes)) + " to end";
    }

    private static List<String> nodes(List<Placement> placements) {
        List<String> nodes =
                placements.stream().map(Placement::node).distinct().sorted().toList();
        if (nodes.size() <= MOST_NODES) {
            return nodes;
        }
        List<String> some = new ArrayList<>(nodes.subList(0, MOST_NODES));
        some.add((nodes.size() - MOST_NODES) + " more");
        return some;
    }

    private static String firstLine(String words) {
        return words.lines().findFirst().orElse("");
    }
}
