package io.gpusched.queue;

import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was nominated is admitted again, as conditions, rules and what others hold may have changed: the minimum of a job together or not at
 * all, members beyond it one by one. What is not admitted any more is withdrawn. What is free already starts.
 */
final class NominatedPass {
    private final Planning plan;

    NominatedPass(Planning plan) {
        this.plan = plan;
    }

    /** Holds again what was nominated before this plan; where some are to be near others, as soon as these are held. */
    void admit() {
        Set<Integer> waiting = new LinkedHashSet<>();
        JobNumbers unsettled = plan.input().unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            int job = unsettled.get(i);
            if (!plan.isLast(job)
                    && !plan.input().job(job).job.status().nominated().isEmpty()) {
                waiting.add(job);
            }
        }
        boolean isMore = true;
        while (isMore) {
            for (int job : waiting) {
                plan.guarded(job, () -> admit(job));
            }
            isMore = waiting.removeIf(
                    job -> !plan.session().status(job).nominated().isEmpty());
            isMore &= plan.input().isRuled();
        }
    }

    private void admit(int job) {
        List<Placement> places = plan.input().job(job).job.status().nominated();
        if (plan.input().job(job).isBelowMinimum(plan.session().status(job))) {
            plan.hold(job, places);
        } else {
            units(job, places).forEach(unit -> plan.hold(job, unit));
        }
    }

    /** Starts what is free. */
    void start() {
        JobNumbers unsettled = plan.session().unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            int job = unsettled.get(i);
            JobStatus status = plan.session().status(job);
            if (!status.nominated().isEmpty()) {
                plan.guarded(job, () -> start(job, status.nominated()));
            }
        }
    }

    private void start(int job, List<Placement> places) {
        if (plan.startNominated(job, places) || places.size() == 1) {
            return;
        }
        PodGroup group = plan.input().job(job).job.group();
        Set<PodId> running = Members.ids(plan.session().status(job).running());
        List<Placement> minimum =
                Members.isMinimum(group, running) ? List.of() : Members.fewest(group, running, places);
        if (minimum.isEmpty() || minimum.size() < places.size() && plan.startNominated(job, minimum)) {
            List<Placement> rest =
                    places.stream().filter(place -> !minimum.contains(place)).toList();
            units(job, rest).forEach(unit -> plan.startNominated(job, unit));
        }
    }

    /** Places of members that start each for itself, and of groups in the group that start with their minimum together. */
    private Collection<List<Placement>> units(int job, List<Placement> places) {
        PodGroup group = plan.input().job(job).job.group();
        Set<PodId> running = Members.ids(plan.session().status(job).running());
        Map<String, List<Placement>> units = new LinkedHashMap<>();
        for (Placement place : places) {
            String unit = Members.notStarted(group, place.pod(), running)
                    .map(PodGroup::name)
                    .orElse(place.pod().toString());
            units.computeIfAbsent(unit, any -> new ArrayList<>()).add(place);
        }
        return units.values();
    }
}
