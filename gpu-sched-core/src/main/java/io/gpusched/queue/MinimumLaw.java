package io.gpusched.queue;

import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group starts with its minimum running, gets places held with its minimum running or nominated, and loses its minimum only whole; what
 * may not be evicted stays. A nominated member does not run.
 */
record MinimumLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        for (int job : statement.jobs()) {
            JobFacts facts = before.input().job(job);
            JobStatus after = statement.after().status(job);
            boolean runs = isMinimum(facts, Members.ids(after.running()));
            boolean starts = statement.has(Statement.Kind.START, job);
            boolean isHeld = statement.has(Statement.Kind.NOMINATE, job);
            if (starts && !runs || isHeld && !runs && !isMinimum(facts, JobFacts.placed(after))) {
                return broken(facts);
            }
            PodGroup group = facts.job.group();
            if (!group.groups().isEmpty() && !haveMinimum(group, statement, job, after)) {
                return broken(facts);
            }
            boolean isRestored = statement.has(Statement.Kind.RESTORE, job);
            JobStatus ran = isRestored ? facts.job.status() : before.status(job);
            boolean stays = mayStay(facts, Members.ids(ran.running()), Members.ids(after.running()));
            boolean isPart = isRestored || statement.has(Statement.Kind.EVICT, job);
            if (isPart && !stays && !mayLeave(facts, after, isHeld)) {
                return broken(facts);
            }
        }
        return null;
    }

    /** Groups in a group start with their minimum too, and get places with it. */
    private static boolean haveMinimum(PodGroup group, Statement statement, int job, JobStatus after) {
        return Members.haveMinimum(
                        group, Members.ids(statement.of(Statement.Kind.START, job)), Members.ids(after.running()))
                && Members.haveMinimum(
                        group, Members.ids(statement.of(Statement.Kind.NOMINATE, job)), JobFacts.placed(after));
    }

    private static boolean isMinimum(JobFacts facts, Set<PodId> members) {
        return Members.isMinimum(facts.job.group(), members);
    }

    /**
     * Whether the rest of a job may go on once some of its members leave: with its minimum, or as it ran before this plan, so that only
     * starts are taken back. One that leaves only whole loses nothing but these.
     */
    static boolean mayStay(JobFacts facts, Set<PodId> before, Set<PodId> after) {
        Eviction eviction = facts.job.spec().eviction();
        Set<PodId> ran = Members.ids(facts.job.status().running());
        boolean keeps = isMinimum(facts, after) && Members.keepMinimum(facts.job.group(), before, after);
        return eviction != Eviction.NEVER
                && (eviction != Eviction.ALL || after.containsAll(ran))
                && (keeps || after.equals(ran));
    }

    /** Whether a job may lose these members though its other members may not run without them: all of it leaves, or they move. */
    private static boolean mayLeave(JobFacts facts, JobStatus after, boolean moves) {
        boolean isEmpty = after.running().isEmpty();
        return switch (facts.job.spec().eviction()) {
            case NEVER, EXTRAS -> false;
            case GANG -> isEmpty || moves;
            case SINGLE -> moves || !startsInPart(facts, after);
            case ALL -> isEmpty;
        };
    }

    /** Whether members start by this plan without all that start with them as a minimum; what terminates ran with them. */
    private static boolean startsInPart(JobFacts facts, JobStatus after) {
        Set<PodId> together = Members.ids(after.running());
        Set<PodId> starting = new HashSet<>(together);
        starting.removeAll(Members.ids(facts.job.status().running()));
        together.addAll(Members.ids(after.terminating()));
        return !starting.isEmpty()
                && !(isMinimum(facts, together) && Members.haveMinimum(facts.job.group(), starting, together));
    }

    private static PendingReason broken(JobFacts facts) {
        return new PendingReason.Forbidden(PendingReason.Rule.MINIMUM, "job \"" + facts.name() + "\"");
    }
}
