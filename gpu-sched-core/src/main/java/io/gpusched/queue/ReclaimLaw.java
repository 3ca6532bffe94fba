package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reclaim takes from queues that hold more than they may keep, or more than they deserve if the one that asks stays within what it deserves.
 * What is compared are siblings: the queues on the ways from both to the top that have the same parent. A queue loses no more once it does
 * not hold too much any more; the last to leave, which leaves whole, may bring it below its fair share, but below what it deserves only
 * where victims are chosen as KAI does. And once all have left, the one that asks holds more than its fair share at no level unless the
 * sibling that gave holds an even greater part of its own.
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
        Set<Integer> losing = new LinkedHashSet<>();
        for (Statement.Change change : statement.changes()) {
            if (change.kind() == Statement.Kind.EVICT) {
                int queue = input.job(change.job()).queue;
                if (queue == mine) {
                    return unfair(input, queue);
                }
                siblings.add(input.queues().siblingOf(queue, mine));
                losing.add(queue);
            }
        }
        if (!input.settings().kaiVictims() && !areOverfull(before, statement, mine)) {
            return unfair(input, losing.iterator().next());
        }
        for (int queue : losing) {
            int below = firstBelow(
                    input, mine, queue, before.held()::get, statement.after().held()::get);
            if (below >= 0) {
                return unfair(input, below);
            }
        }
        for (int sibling : siblings) {
            if (!mayLose(before, statement, mine, sibling) || isTooFull(before, statement, mine, sibling)) {
                return unfair(input, sibling);
            }
        }
        return null;
    }

    /** Whether each job loses some resource that a queue around it holds more of than it deserves. */
    private static boolean areOverfull(Session before, Statement statement, int mine) {
        PlanInput input = before.input();
        for (int job : statement.jobs()) {
            List<Placement> leaving = statement.of(Statement.Kind.EVICT, job);
            if (!leaving.isEmpty()
                    && !isOverfull(input, mine, input.job(job).queue, before.held()::get, before.held(leaving))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a queue, from one that loses amounts up to the sibling of one of the queue that asks, holds more of these than it deserves. */
    static boolean isOverfull(PlanInput input, int mine, int losing, IntFunction<long[]> held, long[] amounts) {
        Queues queues = input.queues();
        int sibling = queues.siblingOf(losing, mine);
        for (int q = losing; q >= 0; q = q == sibling ? -1 : queues.parent(q)) {
            for (int r = 0; r < amounts.length; r++) {
                if (amounts[r] > 0 && held.apply(q)[r] > queues.deserved(q)[r]) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the first queue, from one that loses up to the sibling of one of the queue that asks, that falls below what it deserves; -1 if
     * none does. Of GPUs a queue keeps what it deserves, or all it had; of another resource only if it had more than it deserves. Of at least
     * one of the resources that it loses it still holds what it deserves.
     */
    static int firstBelow(
            PlanInput input, int mine, int losing, IntFunction<long[]> before, IntFunction<long[]> after) {
        Queues queues = input.queues();
        int sibling = queues.siblingOf(losing, mine);
        for (int q = losing; !input.settings().kaiVictims() && q >= 0; q = q == sibling ? -1 : queues.parent(q)) {
            long[] deserved = queues.deserved(q);
            long[] had = before.apply(q);
            long[] has = after.apply(q);
            boolean loses = false;
            boolean keepsOne = false;
            for (int r = 0; r < deserved.length; r++) {
                loses |= has[r] < had[r] && deserved[r] != Quota.UNLIMITED;
                keepsOne |= has[r] < had[r] && has[r] >= deserved[r];
                boolean keeps = r == ResourceTable.GPU || had[r] > deserved[r];
                if (keeps && has[r] < Math.min(had[r], deserved[r])) {
                    return q;
                }
            }
            if (loses && !keepsOne) {
                return q;
            }
        }
        return -1;
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
