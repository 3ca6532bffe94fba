package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which jobs may be evicted or moved, for which beneficiary, and that each is needed ({@code docs/queues.md}, {@link Eviction}, {@link CyclePass}). */
final class VictimLaws {
    private final Play start;
    private final Play end;
    private final CycleSettings settings;
    private final long now;
    private final List<Violation> broken;

    /** What leaves, by victim and by the job for which it leaves. */
    private record Pair(String victim, Optional<String> asker) {}

    private final Map<Pair, List<PlanStep>> leaving = new LinkedHashMap<>();
    private final List<PlanStep> all;

    VictimLaws(Play start, Play end, List<PlanStep> steps, CycleSettings settings, long now, List<Violation> broken) {
        this.start = start;
        this.end = end;
        this.settings = settings;
        this.now = now;
        this.broken = broken;
        this.all = steps;
        for (PlanStep step : steps) {
            if (step instanceof PlanStep.Evict evict) {
                add(new Pair(evict.job(), evict.beneficiary()), step);
            } else if (step instanceof PlanStep.Move move) {
                add(new Pair(move.job(), Optional.of(move.beneficiary())), step);
            }
        }
    }

    private void add(Pair pair, PlanStep step) {
        leaving.computeIfAbsent(pair, key -> new ArrayList<>()).add(step);
    }

    private static Placement from(PlanStep step) {
        return step instanceof PlanStep.Evict evict ? evict.placement() : ((PlanStep.Move) step).from();
    }

    void check() {
        Set<String> whole = new LinkedHashSet<>();
        leaving.forEach((pair, steps) -> {
            Play.Members victim = end.of(pair.victim());
            if (pair.asker().isEmpty()) {
                stale(start.of(pair.victim()));
                return;
            }
            whole.add(pair.victim());
            Play.Members asker = end.jobs.get(pair.asker().get());
            if (asker == null || asker.nominated.isEmpty() && asker.running.isEmpty()) {
                wrong(
                        Law.EVICTION,
                        pair.victim(),
                        "it leaves for \"" + pair.asker().get() + "\", which gets no place");
                return;
            }
            between(victim, asker, steps);
            needed(victim, asker, steps);
        });
        whole.forEach(this::whole);
    }

    private void wrong(Law law, String job, String words) {
        broken.add(Violation.of(law, "job \"" + job + "\"", words));
    }

    /** A job that has run below its minimum for longer than the grace leaves with all members. */
    private void stale(Play.Members victim) {
        Job job = victim.job;
        boolean isStale = !victim.meetsMinimum()
                && job.status().staleSince().isPresent()
                && now - job.status().staleSince().getAsLong() >= settings.staleGrace();
        if (!isStale || !end.of(job.name()).running.isEmpty()) {
            wrong(Law.EVICTION, job.name(), "it leaves for no other, and is not stale since " + settings.staleGrace());
        }
    }

    private void between(Play.Members victim, Play.Members asker, List<PlanStep> steps) {
        Job left = victim.job;
        Job next = asker.job;
        CyclePass pass = steps.get(0).pass();
        if (left.name().equals(next.name())) {
            wrong(Law.EVICTION, left.name(), "its own members leave for it");
        }
        boolean isMove = steps.stream().allMatch(step -> step instanceof PlanStep.Move);
        if (!isMove && next.spec().preemptionDelay() > now - next.spec().submitted()) {
            wrong(
                    Law.PREEMPTION_DELAY,
                    next.name(),
                    "others leave for it before "
                            + (next.spec().submitted() + next.spec().preemptionDelay()));
        }
        if (pass == CyclePass.CONSOLIDATE && !isMove) {
            wrong(Law.EVICTION, left.name(), "it is evicted by a pass that only moves");
        }
        if (pass == CyclePass.PREEMPT
                && !(left.queue().equals(next.queue())
                        && left.spec().priority() < next.spec().priority())) {
            wrong(
                    Law.PRIORITY,
                    left.name(),
                    "priority " + left.spec().priority() + " in \"" + left.queue() + "\" leaves for \"" + next.name()
                            + "\", priority " + next.spec().priority() + " in \"" + next.queue() + "\"");
        }
        if (pass == CyclePass.RECLAIM) {
            if (left.queue().equals(next.queue())) {
                wrong(Law.RECLAIM, left.name(), "it is reclaimed within its own queue");
            }
            List<Placement> taken = new ArrayList<>(steps.stream()
                    .filter(step -> step instanceof PlanStep.Evict)
                    .map(VictimLaws::from)
                    .toList());
            if (!taken.isEmpty()) {
                taken.addAll(givenUp(left));
                QueueLaws.reclaim(start, end, victim, asker, taken, this::preempted, broken);
            }
        }
    }

    /** How much less a queue holds as jobs left for others of the same queue: reclaim has no part in that. */
    private long preempted(String queue, QueueResource resource) {
        List<Placement> left = new ArrayList<>();
        Set<Placement> came = new LinkedHashSet<>();
        for (PlanStep step : all) {
            if (step instanceof PlanStep.Evict evict
                    && evict.pass() == CyclePass.PREEMPT
                    && end.chain(end.of(evict.job()).job.queue()).contains(queue)) {
                left.add(evict.placement());
                String asker = evict.beneficiary().orElseThrow();
                came.addAll(end.of(asker).later());
                came.removeAll(start.of(asker).later());
            }
        }
        Map<String, Node> nodes = end.now().nodes();
        return amount(nodes, left, resource) - amount(nodes, came, resource);
    }

    private static long amount(Map<String, Node> nodes, Collection<Placement> placements, QueueResource resource) {
        return placements.stream()
                .mapToLong(placement -> QueueLaws.held(nodes, placement, resource))
                .sum();
    }

    /** The places that were held for members of a job before the plan, and are not any more when others of it leave. */
    private List<Placement> givenUp(Job job) {
        return all.stream()
                .filter(step -> step instanceof PlanStep.Withdraw && step.job().equals(job.name()))
                .map(step -> ((PlanStep.Withdraw) step).placement())
                .filter(job.nominated()::contains)
                .toList();
    }

    /** What leaves of one job, for whomever, is what its eviction setting admits. */
    private void whole(String name) {
        Play.Members had = start.of(name);
        Play.Members has = end.of(name);
        Eviction eviction = has.job.spec().eviction();
        Set<PodId> left = new LinkedHashSet<>(had.running.keySet());
        left.removeAll(has.running.keySet());
        Set<PodId> stays = new LinkedHashSet<>(had.running.keySet());
        stays.removeAll(left);
        boolean lost = had.meetsMinimum() && !has.meetsMinimum();
        String words = left.size() + " of " + had.running.size() + " members leave";
        switch (eviction) {
            case NEVER -> wrong(Law.EVICTION, name, words + ", none may");
            case EXTRAS -> {
                if (!has.meetsMinimum()) { // with what starts before others leave
                    wrong(Law.EVICTION, name, words + ", only those beyond the minimum may");
                }
            }
            case GANG -> {
                if (lost && !stays.isEmpty()) {
                    wrong(Law.EVICTION, name, words + ", its minimum leaves together or not at all");
                }
            }
            case ALL -> {
                if (!stays.isEmpty()) {
                    wrong(Law.EVICTION, name, words + ", all leave together or none");
                }
            }
            case SINGLE -> {}
        }
        long ran = ran(has.job);
        long least = minRuntime(has.job.queue());
        if (lost && ran < least) {
            broken.add(
                    Violation.below(Law.MIN_RUNTIME, "job \"" + name + "\"", "it ran when it is evicted", ran, least));
        }
    }

    private long ran(Job job) {
        return now - job.status().started().orElse(Long.MIN_VALUE / 2);
    }

    private long minRuntime(String queue) {
        return end.chain(queue).stream()
                .mapToLong(name -> end.before
                        .queues()
                        .queue(name)
                        .map(JobQueue::minRuntime)
                        .orElse(0L))
                .max()
                .orElse(0);
    }

    /**
     * Put back, the victim takes something of what its asker got: a device, a resource, a rule, a limit. It has to be so when it leaves,
     * beside all that had places by then; and still at the end of the plan, when others have left too and others have come.
     */
    private void needed(Play.Members victim, Play.Members asker, List<PlanStep> steps) {
        Set<PodId> gone = new LinkedHashSet<>();
        leaving.values().forEach(some -> some.forEach(step -> gone.add(step.pod())));
        Set<PodId> goneByThen = new LinkedHashSet<>(gone);
        int first = all.indexOf(steps.get(0));
        leaving.forEach((pair, some) -> {
            if (!pair.asker().equals(Optional.of(asker.job.name())) && all.indexOf(some.get(0)) > first) {
                some.forEach(step -> goneByThen.remove(step.pod()));
            }
        });
        needed(victim, asker, steps, goneByThen, before(steps.get(0)));
        needed(victim, asker, steps, gone, placed());
    }

    /** All that has a place at the end which it had not before the plan. */
    private List<Placement> placed() {
        List<Placement> placed = new ArrayList<>();
        end.jobs.forEach((name, job) -> job.later().stream()
                .filter(place -> !start.of(name).running.containsValue(place))
                .forEach(placed::add));
        return placed;
    }

    /**
     * Members are put back one after the other as far as they fit; if those make up what may stay of the job, not all of its victims were
     * needed.
     */
    private void needed(
            Play.Members victim, Play.Members asker, List<PlanStep> steps, Set<PodId> gone, List<Placement> placed) {
        List<Placement> back = new ArrayList<>();
        for (PlanStep step : steps) {
            back.add(from(step));
            if (conflicts(victim, asker, back, gone, placed)) {
                back.remove(back.size() - 1);
            }
        }
        if (back.isEmpty()) {
            return;
        }
        Set<PodId> stays = new LinkedHashSet<>(victim.running.keySet());
        back.forEach(placement -> stays.add(placement.pod()));
        boolean mayStay = switch (victim.job.spec().eviction()) {
            case SINGLE ->
                ran(victim.job) >= minRuntime(victim.job.queue()) || GroupLaws.meetsMinimum(victim.job.group(), stays);
            case ALL -> stays.containsAll(start.of(victim.job.name()).running.keySet());
            default -> GroupLaws.meetsMinimum(victim.job.group(), stays);
        };
        if (mayStay) {
            wrong(
                    Law.VICTIM_NEEDED,
                    victim.job.name(),
                    "it leaves for \"" + asker.job.name() + "\", which has room though these stay: " + back);
        }
    }

    /** What had its places reserved before the plan, or got them in it before a step, and keeps them. */
    private List<Placement> before(PlanStep first) {
        List<Placement> before = new ArrayList<>();
        start.jobs.forEach((name, job) -> job.nominated.values().stream()
                .filter(place -> end.of(name).later().contains(place))
                .forEach(before::add));
        for (PlanStep step : all.subList(0, all.indexOf(first))) {
            Placement to = step instanceof PlanStep.Bind bind
                    ? bind.placement()
                    : step instanceof PlanStep.Nominate nominate ? nominate.placement() : null;
            if (to != null && end.of(step.job()).later().contains(to)) {
                before.add(to);
            }
        }
        return before;
    }

    /** Whether what the asker gets does not go with these, beside others that have places, once some are gone. */
    private boolean conflicts(
            Play.Members victim, Play.Members asker, List<Placement> back, Set<PodId> gone, List<Placement> placed) {
        List<Placement> there = new ArrayList<>(asker.later());
        there.addAll(back);
        placed.stream()
                .filter(placement ->
                        there.stream().noneMatch(other -> other.pod().equals(placement.pod())))
                .forEach(there::add);
        leaving.forEach((pair, steps) -> {
            for (PlanStep step : steps) {
                boolean isBack =
                        back.stream().anyMatch(placement -> placement.pod().equals(step.pod()));
                if (step instanceof PlanStep.Move move
                        && pair.asker().equals(Optional.of(asker.job.name()))
                        && !isBack) {
                    there.add(move.to());
                }
            }
        });
        Set<PodId> known = new LinkedHashSet<>();
        there.forEach(placement -> known.add(placement.pod()));
        for (Placement ran : start.now().placements()) {
            if (!gone.contains(ran.pod()) && !known.contains(ran.pod()) && !isTerminating(ran.pod())) {
                there.add(ran);
            }
        }
        World world = end.with(there);
        for (Placement placement : there) {
            Node node = world.nodes().get(placement.node());
            if (node == null
                    || !DeviceLaws.check(node, world.on(placement.node())).isEmpty()) {
                return true;
            }
        }
        there.removeAll(asker.later());
        return !end.arrive(asker, there, asker.later()).isEmpty()
                || parts(victim, there, back)
                || breaksLimit(victim, back);
    }

    /** Whether rules or the locality of the job forbid the places that its other members got beside the members that are put back. */
    private boolean parts(Play.Members victim, List<Placement> there, List<Placement> back) {
        List<Placement> own = new ArrayList<>(victim.later());
        own.removeAll(start.of(victim.job.name()).running.values());
        own.removeIf(place -> back.stream().anyMatch(stays -> stays.pod().equals(place.pod())));
        List<Placement> others = new ArrayList<>(there);
        others.removeAll(own);
        return !end.arrive(victim, others, own).isEmpty();
    }

    private boolean isTerminating(PodId pod) {
        return start.jobs.values().stream().anyMatch(job -> job.terminating.containsKey(pod));
    }

    private boolean breaksLimit(Play.Members victim, List<Placement> back) {
        Map<String, Node> nodes = end.now().nodes();
        for (String name : end.chain(victim.job.queue())) {
            JobQueue queue = end.before.queues().queue(name).orElseThrow();
            for (QueueResource resource : queue.quotas().keySet()) {
                long more = back.stream()
                        .mapToLong(placement -> QueueLaws.held(nodes, placement, resource))
                        .sum();
                if (QueueLaws.held(end, name, resource, Play.Members::later) + more
                        > queue.quota(resource).limit()) {
                    return true;
                }
            }
        }
        return false;
    }
}
