package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every pod that starts is admitted by the scheduler as a new pod would be, beside all that run or terminate; and every pod that starts or
 * is nominated, beside all that will be there. Pods that ran before are not asked again; those that this plan starts near others are, if
 * it takes back such a start. What the scheduler decided on that very snapshot is
 * not asked twice.
 */
record AdmissionLaw(Places places) implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        Session after = statement.after();
        for (Statement.Change change : statement.changes()) {
            boolean starts = change.kind() == Statement.Kind.START;
            boolean isHeld = change.kind() == Statement.Kind.NOMINATE;
            boolean isAdmitted =
                    (!starts || statement.isDecidedNow() || admits(Places.View.NOW, after.now(), after, change))
                            && (!starts && !isHeld
                                    || statement.isDecidedLater()
                                    || after.isPlain()
                                    || admits(Places.View.LATER, after.later(), after, change));
            if (!isAdmitted) {
                return new PendingReason.Forbidden(
                        PendingReason.Rule.ADMISSION,
                        "node \"" + change.placement().node() + "\"");
            }
        }
        boolean isRuled = before.input().isRuled() && cancels(before, statement);
        if (isRuled && !areNeighboursKept(statement)) {
            return new PendingReason.Forbidden(
                    PendingReason.Rule.ADMISSION, "pods that start near others in this plan");
        }
        return null;
    }

    private boolean areNeighboursKept(Statement statement) {
        Session after = statement.after();
        for (int job = 0; job < after.input().jobs().size(); job++) {
            JobFacts facts = after.input().job(job);
            if (facts.needsOthers) {
                Set<PodId> ran = Members.ids(facts.job.status().running());
                for (Placement placement : after.status(job).running()) {
                    if (!ran.contains(placement.pod())
                            && !places.admits(Places.View.NOW, after.now(), facts, placement)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Whether a start of this plan is taken back. */
    private static boolean cancels(Session before, Statement statement) {
        return statement.has(Statement.Kind.EVICT)
                && statement.after().terminating() - before.terminating()
                        < statement.changes().stream()
                                .filter(change -> change.kind() == Statement.Kind.EVICT)
                                .count();
    }

    private boolean admits(Places.View view, Cluster cluster, Session after, Statement.Change change) {
        return places.admits(view, cluster, after.input().job(change.job()), change.placement());
    }
}
