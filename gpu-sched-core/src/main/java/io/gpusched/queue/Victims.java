package io.gpusched.queue;

import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What may leave in a session: the members of running jobs, by queue and all together. */
final class Victims {
    private final PlanInput input;
    private final List<VictimPool> ofQueue = new ArrayList<>();
    private final VictimPool all;
    private Set<Integer> changed = new LinkedHashSet<>();
    private boolean isBegun;

    Victims(PlanInput input) {
        this.input = input;
        this.all = new VictimPool(
                Victim.cheapestFirst(input.settings()), input.table().size());
        for (int q = 0; q < input.queues().size(); q++) {
            ofQueue.add(new VictimPool(
                    Victim.cheapestFirst(input.settings()), input.table().size()));
        }
    }

    /** Takes note that members of a job came or went. */
    void changed(int job) {
        changed.add(job);
    }

    private void follow(Session session) {
        if (!isBegun) {
            isBegun = true;
            Set<Integer> first = new LinkedHashSet<>();
            for (int j = 0; j < input.jobs().size(); j++) {
                if (!input.job(j).job.status().running().isEmpty()) {
                    first.add(j);
                }
            }
            first.addAll(changed);
            changed = first;
        }
        for (int job : changed) {
            List<Victim> victims = of(session, job);
            ofQueue.get(input.job(job).queue).replace(job, victims);
            all.replace(job, victims);
        }
        changed.clear();
    }

    VictimPool ofQueue(Session session, int queue) {
        follow(session);
        return ofQueue.get(queue);
    }

    VictimPool all(Session session) {
        follow(session);
        return all;
    }

    /** What of a job may leave. One that starts now does not lose a part of its minimum. */
    private List<Victim> of(Session session, int job) {
        JobFacts facts = input.job(job);
        JobStatus status = session.status(job);
        Eviction eviction = facts.job.spec().eviction();
        if (eviction == Eviction.NEVER || status.running().isEmpty() || ProtectionLaw.isUndisturbed(session, job)) {
            return List.of();
        }
        List<Victim> victims = new ArrayList<>();
        List<Placement> minimum = new ArrayList<>(status.running());
        boolean isProtected = ProtectionLaw.isProtected(input, facts, status);
        if (eviction != Eviction.ALL) {
            for (List<Placement> extra : extras(facts, status)) {
                for (List<Placement> together : isProtected ? List.of(extra) : apart(facts, extra)) {
                    victims.add(victim(job, together, false, victims.size(), session));
                }
                minimum.removeAll(extra);
            }
        }
        if (eviction == Eviction.EXTRAS || isProtected) {
            return victims;
        }
        if (eviction == Eviction.SINGLE && status.started().orElse(input.time()) != input.time()) {
            List<Placement> back = backAtMinimum(facts, minimum);
            minimum.removeAll(back);
            for (Placement placement : minimum) {
                victims.add(victim(job, List.of(placement), false, victims.size(), session));
            }
            if (!back.isEmpty()) {
                victims.add(victim(job, back, false, victims.size(), session));
            }
        } else {
            victims.add(victim(job, List.copyOf(minimum), true, victims.size(), session));
        }
        return victims;
    }

    /** Members beyond the minimum that ran before this plan, one by one if the job may lose single members; else all of them together. */
    private static List<List<Placement>> apart(JobFacts facts, List<Placement> extra) {
        boolean isApart = facts.job.spec().eviction() == Eviction.SINGLE
                && facts.job.status().running().containsAll(extra);
        return isApart ? extra.stream().map(List::of).toList() : List.of(extra);
    }

    /** The members with which a job, or a group in it, reaches its minimum by this plan: they start together or not at all. */
    private static List<Placement> backAtMinimum(JobFacts facts, List<Placement> minimum) {
        PodGroup group = facts.job.group();
        Set<PodId> ran = Members.ids(facts.job.status().running());
        boolean ranAsMinimum = Members.isMinimum(group, ran);
        return minimum.stream()
                .filter(placement -> !ran.contains(placement.pod()))
                .filter(placement -> !ranAsMinimum
                        || Members.notStarted(group, placement.pod(), ran).isPresent())
                .toList();
    }

    @SuppressWarnings("ReferenceEquality") // the very same list: what it holds is known
    private static Victim victim(int job, List<Placement> placements, boolean isMinimum, int ordinal, Session session) {
        JobFacts facts = session.input().job(job);
        JobStatus status = facts.job.status();
        boolean isWhole = session.status(job).running() == status.running()
                && placements.size() == status.running().size();
        long[] amounts = isWhole ? facts.running : session.held(placements);
        return new Victim(job, facts, placements, amounts, isMinimum, ordinal);
    }

    /** The members without which the minimum still runs, the last first: each for itself, those of a group in the group together. */
    private static List<List<Placement>> extras(JobFacts facts, JobStatus status) {
        List<Placement> running = status.running();
        if (running.size() <= facts.job.group().minMember()) {
            return List.of();
        }
        List<PodId> pods = running.stream().map(Placement::pod).toList();
        List<List<Placement>> extras = new ArrayList<>();
        for (Set<PodId> beyond : Members.beyondMinimum(facts.job.group(), Members.ids(running), pods)) {
            extras.add(running.stream()
                    .filter(placement -> beyond.contains(placement.pod()))
                    .toList());
        }
        return extras;
    }
}
