package io.gpusched.queue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reclaim takes from queues that hold more than they may keep, or more than they deserve if the one that asks stays within what it deserves.
 * What is compared are siblings: the queues on the ways from both to the top that have the same parent. A queue loses no more once it does
 * not hold too much any more; the last to leave, which leaves whole, may bring it below that, as with KAI. And once all have left, the one
 * that asks holds more than its fair share at no level unless the sibling that gave holds an even greater part of its own.
 */
record ReclaimLaw(Queues.Shares shares) implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        if (statement.pass() != CyclePass.RECLAIM) {
            return null;
        }
        PlanInput input = before.input();
        int mine = input.job(statement.job()).queue;
        Set<Integer> siblings = new HashSet<>();
        for (Statement.Change change : statement.changes()) {
            if (change.kind() == Statement.Kind.EVICT) {
                int queue = input.job(change.job()).queue;
                if (queue == mine) {
                    return unfair(input, queue);
                }
                siblings.add(input.queues().siblingOf(queue, mine));
            }
        }
        for (int sibling : siblings) {
            if (!mayLose(before, statement, mine, sibling) || isTooFull(before, statement, mine, sibling)) {
                return unfair(input, sibling);
            }
        }
        return null;
    }

    private static PendingReason unfair(PlanInput input, int queue) {
        return new PendingReason.Unfair(input.queues().name(queue), 0);
    }

    /** Whether a queue at the level of the one that asks may lose some of what it holds. */
    static boolean mayLose(PlanInput input, Queues.Shares shares, int sibling, boolean isDeserved, long[] held) {
        return !Amounts.isWithin(held, shares.mayKeep().get(sibling))
                || isDeserved && !Amounts.isWithin(held, input.queues().deserved(sibling));
    }

    /** Whether the one that asks stays within what it deserves, at the level of a queue. */
    static boolean isDeserved(Session session, int mine, int queue, long[] atLeast) {
        Queues queues = session.input().queues();
        int own = queues.siblingOf(mine, queue);
        return Amounts.firstAbove(session.held().get(own), atLeast, queues.deserved(own)) < 0;
    }

    /** Whether a queue still holds too much whenever one more leaves, in the order of the statement. */
    private boolean mayLose(Session before, Statement statement, int mine, int sibling) {
        PlanInput input = before.input();
        boolean isDeserved = isDeserved(before, mine, sibling, statement.atLeast());
        long[] left = before.held().get(sibling).clone();
        int last = -1;
        for (Statement.Change change : statement.changes()) {
            JobFacts facts = input.job(change.job());
            if (change.kind() != Statement.Kind.EVICT || input.queues().siblingOf(facts.queue, mine) != sibling) {
                continue;
            }
            boolean leavesAlone = statement.after().status(change.job()).isRunning();
            if ((change.job() != last || leavesAlone) && !mayLose(input, shares, sibling, isDeserved, left)) {
                return false;
            }
            last = change.job();
            Amounts.subtract(left, before.held(List.of(change.placement())));
        }
        return true;
    }

    /** Whether the one that asks would hold more than its fair share, and no smaller part of it than the sibling of its own. */
    private boolean isTooFull(Session before, Statement statement, int mine, int sibling) {
        int own = before.input().queues().siblingOf(mine, sibling);
        long[] held = Amounts.sum(before.held().get(own), statement.atLeast());
        long[] theirs = statement.after().held().get(sibling);
        long[] fair = shares.fair().get(own);
        long[] fairOfTheirs = shares.fair().get(sibling);
        for (int r = 0; r < held.length; r++) {
            if (statement.atLeast()[r] > 0
                    && held[r] > fair[r]
                    && fairOfTheirs[r] > 0
                    && Amounts.compareRatios(held[r], fair[r], theirs[r], fairOfTheirs[r]) >= 0) {
                return true;
            }
        }
        return false;
    }
}
