package io.gpusched.verify;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Where the members of all jobs are while the steps of a plan are done one after the other. Changes with each step. */
final class Play {
    /** Where the members of one job are. */
    static final class Members {
        final Job job;
        final Map<PodId, GroupMembership> groups;
        final Map<PodId, Placement> running = new LinkedHashMap<>();
        final Map<PodId, Placement> terminating = new LinkedHashMap<>();
        final Map<PodId, Placement> nominated = new LinkedHashMap<>();
        final Map<PodId, Placement> reserved = new LinkedHashMap<>();

        private Members(Job job) {
            this.job = job;
            this.groups = job.group().memberships();
            job.running().forEach(placement -> running.put(placement.pod(), placement));
            job.terminating().forEach(placement -> terminating.put(placement.pod(), placement));
            job.nominated().forEach(placement -> nominated.put(placement.pod(), placement));
            job.reservation()
                    .ifPresent(
                            later -> later.placements().forEach(placement -> reserved.put(placement.pod(), placement)));
        }

        Optional<Pod> pod(PodId id) {
            return job.group().pods().stream()
                    .filter(pod -> pod.id().equals(id))
                    .findFirst()
                    .map(pod -> pod.withGroup(Optional.ofNullable(groups.get(id))));
        }

        /** The pods that run, or will once what is in the way has ended. */
        List<Placement> later() {
            List<Placement> all = new ArrayList<>(running.values());
            all.addAll(nominated.values());
            return all;
        }

        /** The pods that hold something now. */
        List<Placement> now() {
            List<Placement> all = new ArrayList<>(running.values());
            all.addAll(terminating.values());
            return all;
        }

        boolean meetsMinimum() {
            return GroupLaws.meetsMinimum(job.group(), running.keySet());
        }
    }

    final QueueState before;
    final Map<String, Members> jobs = new LinkedHashMap<>();

    /** Pods of no job. */
    private final List<Placement> others = new ArrayList<>();

    private final World world;

    Play(QueueState before) {
        this.before = before;
        this.world = World.of(before.cluster());
        Set<PodId> members = new HashSet<>();
        for (Job job : before.jobs()) {
            Members of = new Members(job);
            jobs.put(job.name(), of);
            of.now().forEach(placement -> members.add(placement.pod()));
        }
        world.placements().stream()
                .filter(placement -> !members.contains(placement.pod()))
                .forEach(others::add);
    }

    Members of(String job) {
        return Objects.requireNonNull(jobs.get(job), job);
    }

    /** All that holds something at this moment. */
    World now() {
        List<Placement> all = new ArrayList<>(others);
        jobs.values().forEach(job -> all.addAll(job.now()));
        return with(all);
    }

    /** What runs once all that terminates has ended, with what is nominated. */
    World later() {
        List<Placement> all = new ArrayList<>(others);
        jobs.values().forEach(job -> all.addAll(job.later()));
        return with(all);
    }

    /** All that holds something or is to: as if nothing ended. */
    World all() {
        List<Placement> all = new ArrayList<>(others);
        jobs.values().forEach(job -> {
            all.addAll(job.now());
            all.addAll(job.nominated.values());
        });
        return with(all);
    }

    World with(List<Placement> placements) {
        return new World(world.nodes(), placements, world.namespaces());
    }

    List<Placement> others() {
        return others;
    }

    /**
     * Returns why members of a job do not arrive one after the other, in some order, each as a new pod beside the pods that are there by then;
     * empty if they do.
     */
    List<Violation> arrive(Members job, List<Placement> there, Collection<Placement> coming) {
        World present = with(there);
        List<Placement> missing = new ArrayList<>(coming);
        List<Violation> wrong = List.of();
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (Placement placement : List.copyOf(missing)) {
                Optional<Pod> pod = job.pod(placement.pod());
                wrong = pod.isEmpty() ? List.of() : PlacementLaws.check(present, pod.get(), placement);
                if (wrong.isEmpty()) {
                    missing.remove(placement);
                    present = present.with(placement);
                    isMore = true;
                }
            }
        }
        return missing.isEmpty() ? List.of() : wrong;
    }

    /** Does a step; returns what is wrong with it as it stands, whatever else holds. */
    Optional<String> apply(PlanStep step) {
        Members job = jobs.get(step.job());
        PodId pod = step.pod();
        if (job == null || job.pod(pod).isEmpty()) {
            return Optional.of("there is no such member");
        }
        if (step instanceof PlanStep.Bind bind) {
            boolean held = job.running.containsKey(pod) || job.terminating.containsKey(pod);
            job.nominated.remove(pod);
            job.running.put(pod, bind.placement());
            return wrong(held, "it has not ended");
        }
        if (step instanceof PlanStep.Evict evict) {
            return leave(job, evict.placement());
        }
        if (step instanceof PlanStep.Move move) {
            job.nominated.put(pod, move.to());
            return leave(job, move.from());
        }
        if (step instanceof PlanStep.Nominate nominate) {
            boolean held = job.running.containsKey(pod) || job.nominated.containsKey(pod);
            job.nominated.put(pod, nominate.placement());
            return wrong(held, "it runs or is nominated already");
        }
        if (step instanceof PlanStep.Reserve reserve) {
            job.reserved.put(pod, reserve.placement());
            return Optional.empty();
        }
        boolean held = job.nominated.remove(pod) != null;
        return wrong(job.reserved.remove(pod) == null && !held, "no place is held for it");
    }

    private static Optional<String> leave(Members job, Placement placement) {
        Placement held = job.running.remove(placement.pod());
        job.terminating.put(placement.pod(), placement);
        return wrong(!placement.equals(held), "it does not run like that");
    }

    private static Optional<String> wrong(boolean isWrong, String words) {
        return isWrong ? Optional.of(words) : Optional.empty();
    }

    /** The jobs of a queue and of all queues below it. */
    List<Members> jobsIn(String queue) {
        Map<String, Boolean> known = new HashMap<>();
        return jobs.values().stream()
                .filter(job -> known.computeIfAbsent(
                        job.job.queue(), name -> chain(name).contains(queue)))
                .toList();
    }

    /** A queue and those it is a part of, the widest last. */
    List<String> chain(String queue) {
        List<String> chain = new ArrayList<>();
        Optional<String> next = Optional.of(queue);
        while (next.isPresent()) {
            chain.add(next.get());
            next = before.queues().queue(next.get()).flatMap(of -> of.parent());
        }
        return chain;
    }
}
