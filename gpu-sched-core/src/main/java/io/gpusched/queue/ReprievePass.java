package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Victims that are not needed any more stay. Each statement evicts or moves only what its own request needs; a later statement of the same
 * plan can free more than that, so that a victim of an earlier one has its place again. The highest priority stays first. So it is asked at
 * the end of a round, and where more leaves for the same job, before others take the places.
 */
final class ReprievePass {
    private final Planning plan;

    /** What leaves of one job for another. */
    private record Leaving(int job, int beneficiary) {}

    ReprievePass(Planning plan) {
        this.plan = plan;
    }

    void run() {
        run(beneficiary -> true);
    }

    /** Asks again for what left for one job. */
    void run(int job) {
        run(beneficiary -> beneficiary == job);
    }

    private void run(IntPredicate isAsked) {
        Map<Leaving, List<Placement>> leaving = new LinkedHashMap<>();
        plan.forEachCause((pod, job, pass, beneficiary) -> {
            JobStatus status = plan.session().status(job);
            status.terminating().stream()
                    .filter(placement -> job != beneficiary
                            && isAsked.test(beneficiary)
                            && placement.pod().equals(pod))
                    .forEach(placement -> leaving.computeIfAbsent(
                                    new Leaving(job, beneficiary), any -> new ArrayList<>())
                            .add(placement));
        });
        leaving.entrySet().stream()
                .sorted(Comparator.comparingInt(entry ->
                        -plan.input().job(entry.getKey().job()).job.spec().priority()))
                .forEach(entry -> plan.guarded(
                        entry.getKey().job(),
                        () -> reprieve(entry.getKey().job(), entry.getKey().beneficiary(), entry.getValue())));
    }

    /** As many members stay as there is room for. If the gate refuses that, each of them stays that it lets stay alone. */
    private void reprieve(int job, int beneficiary, List<Placement> members) {
        if (!mayStay(job, beneficiary, members) && members.size() > 1) {
            members.forEach(member -> mayStay(job, beneficiary, List.of(member)));
        }
    }

    private boolean mayStay(int job, int beneficiary, List<Placement> members) {
        Session after = plan.session();
        List<Placement> staying = new ArrayList<>();
        for (Placement member : members) {
            Session more = after.restore(job, List.of(member));
            if (more != null) {
                after = more;
                staying.add(member);
            }
        }
        return !staying.isEmpty()
                && plan.propose(new Statement(
                                CyclePass.ALLOCATE,
                                beneficiary,
                                new long[plan.input().table().size()],
                                after,
                                Statement.changes(Statement.Kind.RESTORE, job, staying),
                                true,
                                true))
                        == null;
    }
}
