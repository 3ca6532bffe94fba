package io.gpusched.internal.cycle;

import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.Quota;

/** Which of two queues with the same parent is served next, each with its next request. */
final class QueueOrder {
    private final CycleSettings.QueueOrder order;
    private final long[] capacity;

    QueueOrder(CycleSettings.QueueOrder order, ResourceTable resources) {
        this.order = order;
        this.capacity = resources.capacity();
    }

    int compare(QueueUse first, Ask firstAsk, QueueUse second, Ask secondAsk) {
        int result = order == CycleSettings.QueueOrder.DOMINANT_SHARE
                ? compareShares(first, firstAsk.asked(), second, secondAsk.asked(), true)
                : byFairShare(first, firstAsk.asked(), second, secondAsk.asked());
        if (result == 0) {
            result = Long.compare(first.queue.created(), second.queue.created());
        }
        return result != 0 ? result : first.name().compareTo(second.name());
    }

    private int byFairShare(QueueUse first, long[] firstAsk, QueueUse second, long[] secondAsk) {
        int result = Boolean.compare(first.isOverFairShare(), second.isOverFairShare());
        if (result == 0) {
            result = Boolean.compare(second.deserves(secondAsk), first.deserves(firstAsk));
        }
        if (result == 0) {
            result = Integer.compare(second.queue.priority(), first.queue.priority());
        }
        if (result == 0) {
            result = Boolean.compare(usesWithoutShare(first, firstAsk), usesWithoutShare(second, secondAsk));
        }
        if (result == 0) {
            result = compareShares(first, firstAsk, second, secondAsk, false);
        }
        if (result == 0) {
            result = compareShares(first, new long[capacity.length], second, new long[capacity.length], false);
        }
        return result != 0 ? result : byAllocatable(first, second);
    }

    private static boolean usesWithoutShare(QueueUse queue, long[] asked) {
        for (int r = 0; r < asked.length; r++) {
            if (queue.allocatable[r] == 0 && queue.used[r] + asked[r] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Compares the greatest shares that queues use of any resource: of what they may keep, or of the cluster. */
    private int compareShares(QueueUse first, long[] firstAsk, QueueUse second, long[] secondAsk, boolean ofCluster) {
        int a = dominant(first, firstAsk, ofCluster);
        int b = dominant(second, secondAsk, ofCluster);
        return Ratio.compare(
                first.used[a] + firstAsk[a],
                whole(first, a, ofCluster),
                second.used[b] + secondAsk[b],
                whole(second, b, ofCluster));
    }

    private int dominant(QueueUse queue, long[] asked, boolean ofCluster) {
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
        return most;
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
