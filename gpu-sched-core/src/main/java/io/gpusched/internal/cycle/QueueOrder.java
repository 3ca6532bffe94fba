package io.gpusched.internal.cycle;

import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.Quota;

/** Which of two queues with the same parent is served next, each with its next request. */
final class QueueOrder {
    private final CycleSettings.QueueOrder order;
    private final long[] capacity;
    private final long[] none;

    QueueOrder(CycleSettings.QueueOrder order, long[] shared) {
        this.order = order;
        this.capacity = shared;
        this.none = new long[shared.length];
    }

    /** What is compared of a queue with its next request, as long as what it uses does not change. */
    record Rank(
            QueueUse queue, Ask ask, boolean isOver, boolean deserves, boolean isWithoutShare, Share then, Share now) {}

    /** The greatest part that a queue uses of any resource. */
    private record Share(long used, long whole) {
        int compareTo(Share other) {
            return Ratio.compare(used, whole, other.used, other.whole);
        }
    }

    Rank rank(QueueUse queue, Ask ask) {
        boolean ofCluster = order == CycleSettings.QueueOrder.DOMINANT_SHARE;
        return new Rank(
                queue,
                ask,
                queue.isOverFairShare(),
                queue.deserves(ask.asked()),
                usesWithoutShare(queue, ask.asked()),
                dominant(queue, ask.asked(), ofCluster),
                dominant(queue, none, ofCluster));
    }

    int compare(Rank first, Rank second) {
        int result = order == CycleSettings.QueueOrder.DOMINANT_SHARE
                ? first.then.compareTo(second.then)
                : byFairShare(first, second);
        if (result == 0) {
            result = Long.compare(first.queue.queue.created(), second.queue.queue.created());
        }
        return result != 0 ? result : first.queue.name().compareTo(second.queue.name());
    }

    private static int byFairShare(Rank first, Rank second) {
        int result = Boolean.compare(first.isOver, second.isOver);
        if (result == 0) {
            result = Boolean.compare(second.deserves, first.deserves);
        }
        if (result == 0) {
            result = Integer.compare(second.queue.queue.priority(), first.queue.queue.priority());
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
        return result != 0 ? result : byAllocatable(first.queue, second.queue);
    }

    private static boolean usesWithoutShare(QueueUse queue, long[] asked) {
        for (int r = 0; r < asked.length; r++) {
            if (queue.allocatable[r] == 0 && queue.used[r] + asked[r] > 0) {
                return true;
            }
        }
        return false;
    }

    /** The greatest part that a queue would use of any resource: of what it may keep, or of the cluster. */
    private Share dominant(QueueUse queue, long[] asked, boolean ofCluster) {
        int most = 0;
        for (int r = 1; r < asked.length; r++) {
            if (Ratio.compare(
                            queue.used[r] + asked[r],
                            whole(queue, r, ofCluster),
                            queue.used[most] + asked[most],
                            whole(queue, most, ofCluster))
                    > 0) {
                most = r;
            }
        }
        return new Share(queue.used[most] + asked[most], whole(queue, most, ofCluster));
    }

    private long whole(QueueUse queue, int r, boolean ofCluster) {
        return ofCluster || queue.allocatable[r] == Quota.UNLIMITED ? capacity[r] : queue.allocatable[r];
    }

    /** Of queues that differ in nothing else, the one that may keep less. */
    private static int byAllocatable(QueueUse first, QueueUse second) {
        boolean isLess = Vectors.isWithin(first.allocatable, second.allocatable);
        boolean isMore = Vectors.isWithin(second.allocatable, first.allocatable);
        return isLess == isMore ? 0 : isLess ? -1 : 1;
    }
}
