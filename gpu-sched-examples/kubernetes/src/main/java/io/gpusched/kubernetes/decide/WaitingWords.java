package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** Tells the pods that a plan leaves waiting why they wait, and when they are expected to start. Not thread-safe. */
final class WaitingWords {
    private final Refusals refusals;
    private final RoomPlans rooms;
    private final Forecasts forecasts;
    private final Diagnoses diagnoses = new Diagnoses();
    private final boolean isOneQueue;

    WaitingWords(Refusals refusals, RoomPlans rooms, QueueSettings how, Clock clock) {
        this.refusals = refusals;
        this.rooms = rooms;
        this.forecasts = new Forecasts(how.backfill(), clock);
        this.isOneQueue = how.vocabulary() == QueueVocabulary.NONE;
    }

    /** The pods of a job cannot be decided about as they are. */
    void failed(JobInput input, String why, Decisions decisions) {
        input.ready()
                .values()
                .forEach(
                        ready -> refusals.add(new Request.Blocked(ready.pod(), PendingReason.REFUSED, why), decisions));
    }

    /**
     * Adds what pods are told that a plan does not start.
     *
     * @param protectedPods how many pods disruption budgets kept from the plan
     */
    void add(CyclePlans.Planned one, PlacementPolicy policy, int protectedPods, Decisions decisions) {
        refuse(one.plan(), one.inputs(), policy, protectedPods, decisions);
        forecasts.add(one.plan(), one.inputs(), policy, decisions);
    }

    private void refuse(
            Plan plan, Map<String, JobInput> inputs, PlacementPolicy policy, int protectedPods, Decisions decisions) {
        Set<PodId> starts = new HashSet<>();
        plan.bindings().forEach(step -> starts.add(step.pod()));
        for (PendingJob waiting : plan.pending()) {
            JobInput input = Objects.requireNonNull(inputs.get(waiting.job()));
            boolean hasStarted = hasStarted(input, starts);
            List<Supplier<String>> words = new ArrayList<>();
            input.ready().forEach((id, ready) -> {
                if (!starts.contains(id)) {
                    Supplier<String> besides = besides(ready, protectedPods);
                    words.add(words(
                            waiting, input, ready, hasStarted, plan.after().cluster(), policy, besides));
                    refusals.add(ready, reason(waiting), words.get(words.size() - 1), decisions);
                }
            });
            if (input.unit() instanceof Unit.Group group && !words.isEmpty() && !hasStarted) {
                decisions.groups().add(new GroupResult(group.key(), words.get(0)));
            }
        }
    }

    private static PendingReason reason(PendingJob waiting) {
        boolean isQueue = waiting.reason() instanceof io.gpusched.queue.PendingReason.OverLimit
                || waiting.reason() instanceof io.gpusched.queue.PendingReason.OverDeserved;
        return isQueue ? PendingReason.QUEUE : PendingReason.NO_ROOM;
    }

    /** Whether a group runs, with those of its pods that start: it is not refused when its other pods are. */
    private static boolean hasStarted(JobInput input, Set<PodId> starts) {
        long starting = input.ready().keySet().stream().filter(starts::contains).count();
        return input.unit() instanceof Unit.Group
                && input.job().running().size() + starting
                        >= input.job().group().minMember();
    }

    /** What stands against a pod besides the want of room, whatever its job. */
    private Supplier<String> besides(Request.Ready ready, int protectedPods) {
        String budgets = protectedPods == 0
                ? ""
                : "\n  disruption budgets protect " + protectedPods + (protectedPods == 1 ? " pod" : " pods");
        String refused = rooms.keptInWords();
        Supplier<String> more = refusals.besides(ready);
        return () -> budgets + refused + more.get();
    }

    private Supplier<String> words(
            PendingJob waiting,
            JobInput input,
            Request.Ready ready,
            boolean hasStarted,
            Cluster after,
            PlacementPolicy policy,
            Supplier<String> besides) {
        String start = hasStarted
                ? "PodGroup \"" + ((Unit.Group) input.unit()).key()
                        + "\" has started; there is no room for this pod beyond the minimum: "
                : "";
        boolean isDiagnosed = CycleWords.isDiagnosed(waiting.reason());
        return () -> {
            String diagnosis =
                    isDiagnosed ? "" : diagnoses.of(after, input, ready.pod().id(), hasStarted, policy);
            String why = CycleWords.of(waiting.reason(), isOneQueue, diagnosis);
            String limits = why.contains(AttachLimits.PREFIX) ? AttachLimits.WORDS : "";
            return start + why + limits + besides.get();
        };
    }
}
