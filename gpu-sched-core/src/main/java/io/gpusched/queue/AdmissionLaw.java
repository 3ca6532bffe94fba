package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Each pod that starts is admitted by the scheduler as a new pod would be, beside all that run or terminate; and each that starts or is
 * nominated, beside all that will be there. What the scheduler decided on that very snapshot is not asked twice.
 *
 * <p>Pods that ran before are not asked again. Nominated pods whose rules look at others are asked with each statement: what comes or
 * leaves may take their neighbours away. So are such pods that start by this plan, if the statement takes another start back, and all that
 * come by this plan, if the statement lets others stay that were to leave.
 */
record AdmissionLaw(Places places) implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        Session after = statement.after();
        boolean isPlain = statement.isDecidedLater() || after.isPlain();
        for (int job : statement.jobs()) {
            List<Placement> starting = statement.of(Statement.Kind.START, job);
            List<Placement> coming = new ArrayList<>(starting);
            coming.addAll(statement.of(Statement.Kind.NOMINATE, job));
            JobFacts facts = after.input().job(job);
            if (!statement.isDecidedNow() && !places.admits(Places.View.NOW, after.now(), facts, starting)
                    || !isPlain && !places.admitsInSomeOrder(Places.View.LATER, after.later(), facts, coming)) {
                return new PendingReason.Forbidden(
                        PendingReason.Rule.ADMISSION, "node \"" + coming.get(0).node() + "\"");
            }
        }
        if (before.input().isRuled() && !areNeighboursKept(before, statement)) {
            return new PendingReason.Forbidden(
                    PendingReason.Rule.ADMISSION, "pods that start near others in this plan");
        }
        return null;
    }

    /** Whether pods that are nominated near others keep these; so with pods that this plan starts, if a start is taken back or a victim stays. */
    private boolean areNeighboursKept(Session before, Statement statement) {
        Session after = statement.after();
        List<Placement> takenBack = takenBack(before, statement);
        boolean restores = statement.has(Statement.Kind.RESTORE);
        boolean asksStarts = restores || !takenBack.isEmpty();
        Set<Placement> starting = new HashSet<>();
        statement.changes().stream()
                .filter(change -> change.kind() == Statement.Kind.START)
                .forEach(change -> starting.add(change.placement()));
        Cluster now = Snapshots.without(Snapshots.without(after.now(), takenBack), starting); // these come last
        for (int job = 0; job < after.input().jobs().size(); job++) {
            JobFacts facts = after.input().job(job);
            if ((restores || facts.needsOthers)
                    && (asksStarts || !after.status(job).nominated().isEmpty())) {
                Set<PodId> ran = Members.ids(facts.job.status().running());
                int starter = job;
                List<Placement> started = after.status(job).running().stream()
                        .filter(placement -> asksStarts
                                && !starting.contains(placement)
                                && (startedNow(after, starter) || !ran.contains(placement.pod())))
                        .toList();
                if (!places.admits(Places.View.NOW, now, facts, started)
                        || !places.admitsInSomeOrder(Places.View.LATER, after.later(), facts, started)
                        || !places.admitsInSomeOrder(
                                Places.View.LATER,
                                after.later(),
                                facts,
                                after.status(job).nominated())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What starts by this plan, or by one before at the same time, and leaves again: for pods that start near it, it was never there. */
    private static List<Placement> takenBack(Session before, Statement statement) {
        return statement.changes().stream()
                .filter(change -> change.kind() == Statement.Kind.EVICT)
                .filter(change -> startedNow(before, change.job())
                        || !Snapshots.holds(statement.after().now(), change.placement()))
                .map(Statement.Change::placement)
                .toList();
    }

    private static boolean startedNow(Session session, int job) {
        long now = session.input().time();
        return session.status(job).started().orElse(now - 1) == now;
    }
}
