package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Plays the steps of a plan one by one, and judges each of them and where they lead ({@link Plan}). */
final class PlanLaws {
    private final QueueState before;
    private final Plan plan;
    private final CycleSettings settings;
    private final long now;
    private final long tries;
    private final List<Violation> broken = new ArrayList<>();

    PlanLaws(QueueState before, Plan plan, CycleSettings settings, long now, long tries) {
        this.before = before;
        this.plan = plan;
        this.settings = settings;
        this.now = now;
        this.tries = tries;
    }

    List<Violation> check() {
        Play start = new Play(before);
        Play end = new Play(before);
        for (PlanStep step : plan.steps()) {
            if (step instanceof PlanStep.Bind bind) {
                bind(end, bind);
            }
            end.apply(step)
                    .ifPresent(words ->
                            broken.add(Violation.of(Law.STEP, "pod \"" + step.pod() + "\"", words + ": " + step)));
            if (broken.stream().anyMatch(violation -> violation.law() == Law.STEP)) {
                return broken;
            }
            fresh(start, end, step);
        }
        groups(end);
        nominations(end);
        QueueLaws.limits(start, end, broken);
        QueueLaws.deserved(start, end, broken);
        new VictimLaws(start, end, plan.steps(), settings, now, broken).check();
        after(end);
        new TimeLaws(end, plan, settings, now, broken).check();
        new ReasonLaws(end, plan, settings, now, tries, broken).check();
        return broken;
    }

    /** A pod starts where a new pod might at this moment, beside all that runs or has not ended. */
    private void bind(Play play, PlanStep.Bind bind) {
        Play.Members job = play.jobs.get(bind.job());
        Optional<Pod> pod = job == null ? Optional.empty() : job.pod(bind.pod());
        if (job != null
                && pod.isPresent()
                && !job.running.containsKey(bind.pod())
                && !job.terminating.containsKey(bind.pod())) {
            List<Placement> staying = new ArrayList<>();
            play.jobs.values().forEach(each -> staying.addAll(each.running.values()));
            broken.addAll(PlacementLaws.check(play.now(), play.with(staying), pod.get(), bind.placement()));
        }
    }

    /** Devices are over-booked by no step, as far as they were not before. */
    private void fresh(Play start, Play play, PlanStep step) {
        if (step instanceof PlanStep.Bind bind) {
            Node node = play.now().nodes().get(bind.placement().node());
            if (node != null) {
                List<Violation> wrong = DeviceLaws.check(node, play.now().on(node.name()));
                wrong.removeAll(DeviceLaws.check(node, start.now().on(node.name())));
                wrong.removeAll(broken);
                broken.addAll(wrong);
            }
        }
    }

    /** A job whose members start has its minimum then; what is nominated does not run. Its members are as close as they must be. */
    private void groups(Play end) {
        Map<String, Set<PodId>> started = new LinkedHashMap<>();
        Set<String> touched = new LinkedHashSet<>();
        for (PlanStep step : plan.steps()) {
            if (step instanceof PlanStep.Bind) {
                started.computeIfAbsent(step.job(), job -> new HashSet<>()).add(step.pod());
            }
            if (step instanceof PlanStep.Bind || step instanceof PlanStep.Nominate || step instanceof PlanStep.Move) {
                touched.add(step.job());
            }
        }
        started.forEach((name, pods) -> {
            Play.Members job = end.of(name);
            Set<PodId> running = new HashSet<>(job.running.keySet());
            if (job.job.spec().eviction() == Eviction.SINGLE) { // it may lose its minimum again in the same plan
                running.addAll(job.terminating.keySet());
            }
            GroupLaws.minimum(job.job.group(), pods, running, broken);
        });
        for (String name : touched) {
            World together = end.with(end.of(name).later());
            List<Violation> apart = new ArrayList<>();
            for (Placement placement : end.of(name).later()) {
                if (apart.isEmpty()) {
                    GroupLaws.locality(together.without(placement.pod()), placement, apart);
                }
            }
            apart.removeAll(broken);
            broken.addAll(apart);
        }
    }

    /** What is nominated has its place once what terminates has ended, as a new pod beside all that stay; and is enough to start. */
    private void nominations(Play end) {
        World later = end.later();
        for (Play.Members job : end.jobs.values()) {
            List<Placement> there = new ArrayList<>(later.placements());
            there.removeAll(job.nominated.values());
            List<Violation> wrong = end.arrive(job, there, job.nominated.values());
            if (!wrong.isEmpty()) {
                broken.add(Violation.of(
                        Law.NOMINATION, "job \"" + job.job.name() + "\"", "what is held for it has no room: " + wrong));
            }
            if (!job.nominated.isEmpty()) {
                Set<PodId> all = new HashSet<>(job.running.keySet());
                all.addAll(job.nominated.keySet());
                List<Violation> few = new ArrayList<>();
                GroupLaws.minimum(job.job.group(), job.nominated.keySet(), all, few);
                few.removeAll(broken);
                broken.addAll(few);
            }
        }
    }

    /** The state that the plan leads to is where its steps lead. */
    private void after(Play end) {
        QueueState after = plan.after();
        same("cluster", end.now().placements(), after.cluster().placements());
        List<String> names = before.jobs().stream().map(Job::name).toList();
        if (!after.jobs().stream().map(Job::name).toList().equals(names)) {
            broken.add(Violation.of(Law.AFTER, "jobs", "they are others, or in another order"));
            return;
        }
        for (Job job : after.jobs()) {
            Play.Members members = end.of(job.name());
            same("job \"" + job.name() + "\", running", members.running.values(), job.running());
            same("job \"" + job.name() + "\", terminating", members.terminating.values(), job.terminating());
            same("job \"" + job.name() + "\", nominated", members.nominated.values(), job.nominated());
            boolean wrong = members.meetsMinimum()
                    ? job.status().started().isEmpty()
                    : members.running.isEmpty() && job.status().started().isPresent();
            if (wrong && plan.steps().stream().anyMatch(step -> step.job().equals(job.name()))) {
                broken.add(Violation.of(
                        Law.AFTER,
                        "job \"" + job.name() + "\"",
                        members.running.size() + " members run, and its start is "
                                + job.status().started()));
            }
        }
        broken.addAll(PlacementLaws.check(end.with(List.copyOf(after.cluster().placements()))).stream()
                .filter(violation -> !broken.contains(violation))
                .toList());
    }

    private void same(String what, Collection<Placement> played, Collection<Placement> told) {
        if (!Set.copyOf(played).equals(Set.copyOf(told)) || played.size() != told.size()) {
            broken.add(Violation.of(
                    Law.AFTER, what, "the steps lead to " + names(played) + ", the state says " + names(told)));
        }
    }

    private static Set<String> names(Collection<Placement> placements) {
        Set<String> names = new TreeSet<>();
        placements.forEach(placement -> names.add(placement.pod() + " on " + placement.node()));
        return names;
    }
}
