package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.evict.BudgetBook;
import io.gpusched.model.PodId;
import io.gpusched.queue.Plan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which pods disruption budgets protect from a plan. Not thread-safe. */
final class Budgets {
    private final BudgetBook book;
    private final JobBook jobs;
    private final RoomPlans rooms;

    Budgets(BudgetBook book, JobBook jobs, RoomPlans rooms) {
        this.book = book;
        this.jobs = jobs;
        this.rooms = rooms;
    }

    /** The victims that a disruption budget does not let go together with the others and with pods that are leaving already. */
    Set<PodId> violating(Plan plan) {
        List<Pod> leaving = new ArrayList<>();
        rooms.notEvictedYet().forEach(pod -> add(pod, leaving));
        Set<PodId> victims = new HashSet<>();
        plan.evictions().forEach(step -> {
            victims.add(step.pod());
            add(step.pod(), leaving);
        });
        Set<PodId> violating = new HashSet<>();
        for (Pod pod : book.violating(leaving)) {
            PodId id = Unit.idOf(pod);
            if (victims.contains(id)) {
                violating.add(id);
            }
        }
        return violating;
    }

    /** The pods that no budget lets go now, whatever the plan. */
    Set<PodId> exhausted() {
        List<Pod> leaving = new ArrayList<>();
        List<PodId> going = rooms.notEvictedYet();
        going.forEach(pod -> add(pod, leaving));
        List<Pod> others = new ArrayList<>();
        jobs.units()
                .values()
                .forEach(members -> members.values().stream()
                        .filter(pod -> pod.isBound() && !pod.isEnding() && !going.contains(pod.id()))
                        .forEach(pod -> others.add(pod.outline())));
        Set<PodId> exhausted = new HashSet<>();
        book.exhausted(leaving, others).forEach(pod -> exhausted.add(Unit.idOf(pod)));
        return exhausted;
    }

    private void add(PodId id, List<Pod> pods) {
        JobPod pod = jobs.get(id);
        if (pod != null) {
            pods.add(pod.outline());
        }
    }
}
