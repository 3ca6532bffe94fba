package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        if (asksStarts && !startInOrder(after, takenBack, restores)) {
            return false;
        }
        for (int job = 0; job < after.input().jobs().size(); job++) {
            JobFacts facts = after.input().job(job);
            if (facts.needsOthers || restores) {
                List<Placement> started = asksStarts ? started(after, job) : List.of();
                List<Placement> nominated = after.status(job).nominated();
                // what others that came since forbid already, the statement does not take away
                boolean isKept = places.admitsInSomeOrder(Places.View.LATER, after.later(), facts, started)
                        || !places.admitsInSomeOrder(Places.View.LATER, before.later(), facts, started);
                if (!isKept || !places.admitsInSomeOrder(Places.View.LATER, after.later(), facts, nominated)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether each pod that starts by this plan is admitted beside those that started before it, without what is taken back. In which order
     * plans before at the same time started jobs is not known: each of these is to be admitted beside the others, and without them.
     */
    private boolean startInOrder(Session after, List<Placement> takenBack, boolean restores) {
        List<Session.Started> order = after.inOrder();
        List<Placement> starting =
                order.stream().map(Session.Started::placement).toList();
        Cluster now = Snapshots.without(Snapshots.without(after.now(), takenBack), starting);
        Map<JobFacts, List<Placement>> before = new LinkedHashMap<>();
        Cluster without = now;
        for (int job = 0; job < after.input().jobs().size(); job++) {
            if (startedNow(after, job)) {
                List<Placement> running = new ArrayList<>(after.status(job).running());
                running.removeAll(starting);
                before.put(after.input().job(job), running);
                without = Snapshots.without(without, running);
            }
        }
        for (Map.Entry<JobFacts, List<Placement>> job : before.entrySet()) {
            Cluster alone = with(without, job.getValue());
            if (!areAdmitted(now, job.getKey(), job.getValue(), restores)
                    || !areAdmitted(alone, job.getKey(), job.getValue(), restores)) {
                return false;
            }
        }
        for (Session.Started next : order) {
            now = with(now, List.of(next.placement()));
            if (!areAdmitted(now, after.input().job(next.job()), List.of(next.placement()), restores)) {
                return false;
            }
        }
        return true;
    }

    private static Cluster with(Cluster cluster, List<Placement> running) {
        return Objects.requireNonNull(Snapshots.with(cluster, running), "they run there");
    }

    private boolean areAdmitted(Cluster now, JobFacts facts, List<Placement> placements, boolean asksAll) {
        return !facts.needsOthers && !asksAll || places.admits(Places.View.NOW, now, facts, placements);
    }

    /** What of a job starts by this plan, or by one before at the same time. */
    private static List<Placement> started(Session session, int job) {
        Set<PodId> ran = Members.ids(session.input().job(job).job.status().running());
        boolean isNow = startedNow(session, job);
        return session.status(job).running().stream()
                .filter(placement -> isNow || !ran.contains(placement.pod()))
                .toList();
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
