package io.gpusched.queue;

/** Which of two queues with the same parent is served next, each with its next request. */
final class QueueOrder {
    private final PlanInput input;
    private final Queues.Shares shares;
    private final boolean isDominant;
    private final long[] none;

    QueueOrder(PlanInput input, Queues.Shares shares) {
        this.input = input;
        this.shares = shares;
        this.isDominant = input.settings().queueOrder() == CycleSettings.QueueOrder.DOMINANT_SHARE;
        this.none = new long[input.table().size()];
    }

    /** What is compared of a queue with its next request, as long as what it holds does not change. */
    record Rank(
            int queue,
            Request request,
            boolean isOver,
            boolean isDeserved,
            boolean isWithoutShare,
            Part then,
            Part now) {}

    /** The greatest part that a queue holds of any resource. */
    private record Part(long held, long whole) {
        int compareTo(Part other) {
            return Amounts.compareRatios(held, whole, other.held, other.whole);
        }
    }

    Rank rank(Session session, int queue, Request request) {
        long[] held = session.held().get(queue);
        return new Rank(
                queue,
                request,
                !Amounts.isWithin(held, shares.fair().get(queue)),
                Amounts.firstAbove(held, request.atLeast(), input.queues().deserved(queue)) < 0,
                holdsWithoutShare(queue, held, request.atLeast()),
                dominant(queue, held, request.atLeast()),
                dominant(queue, held, none));
    }

    int compare(Rank first, Rank second) {
        JobQueue one = input.queues().queue(first.queue);
        JobQueue other = input.queues().queue(second.queue);
        int result = isDominant ? first.then.compareTo(second.then) : byFairShare(first, second);
        if (result == 0) {
            result = Long.compare(one.created(), other.created());
        }
        return result != 0 ? result : one.name().compareTo(other.name());
    }

    private int byFairShare(Rank first, Rank second) {
        int result = Boolean.compare(first.isOver, second.isOver);
        if (result == 0) {
            result = Boolean.compare(second.isDeserved, first.isDeserved);
        }
        if (result == 0) {
            result = Integer.compare(
                    input.queues().queue(second.queue).priority(),
                    input.queues().queue(first.queue).priority());
        }
        if (result == 0) {
            result = Boolean.compare(first.isWithoutShare, second.isWithoutShare);
        }
        if (result == 0) {
            result = first.then.compareTo(second.then);
        }
        if (result == 0) {
            result = first.now.compareTo(second.now);
        }
        return result != 0 ? result : byMayKeep(first.queue, second.queue);
    }

    private boolean holdsWithoutShare(int queue, long[] held, long[] more) {
        for (int r = 0; r < more.length; r++) {
            if (shares.mayKeep().get(queue)[r] == 0 && held[r] + more[r] > 0) {
                return true;
            }
        }
        return false;
    }

    /** The greatest part that a queue would hold of any resource: of what it may keep, or of the cluster. */
    private Part dominant(int queue, long[] held, long[] more) {
        int most = 0;
        for (int r = 1; r < more.length; r++) {
            if (Amounts.compareRatios(held[r] + more[r], whole(queue, r), held[most] + more[most], whole(queue, most))
                    > 0) {
                most = r;
            }
        }
        return new Part(held[most] + more[most], whole(queue, most));
    }

    private long whole(int queue, int r) {
        long mayKeep = shares.mayKeep().get(queue)[r];
        return isDominant || mayKeep == Quota.UNLIMITED ? shares.whole()[r] : mayKeep;
    }

    /** Of queues that differ in nothing else, the one that may keep less. */
    private int byMayKeep(int first, int second) {
        boolean isLess =
                Amounts.isWithin(shares.mayKeep().get(first), shares.mayKeep().get(second));
        boolean isMore =
                Amounts.isWithin(shares.mayKeep().get(second), shares.mayKeep().get(first));
        return isLess == isMore ? 0 : isLess ? -1 : 1;
    }
}
