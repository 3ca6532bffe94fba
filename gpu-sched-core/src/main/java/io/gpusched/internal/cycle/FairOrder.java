package io.gpusched.internal.cycle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in fair order: from the top of the tree, the queue that is served next, down to its next job.
 *
 * <p>A heap for each queue. What is used changes only on the way from the job that was taken to the top, and the queues on this way are
 * taken out and put back, so the heaps stay in order; where jobs of other queues leave, the order is made anew. O(levels · log).
 */
final class FairOrder {
    private final QueueOrder order;
    private final JobOrder jobOrder;
    private final Map<QueueUse, PriorityQueue<JobState>> jobs = new HashMap<>();
    private final Map<QueueUse, PriorityQueue<QueueOrder.Rank>> parts = new HashMap<>();
    private final PriorityQueue<QueueOrder.Rank> roots;

    FairOrder(Queues queues, QueueOrder order, JobOrder jobOrder, Collection<JobState> candidates) {
        this.order = order;
        this.jobOrder = jobOrder;
        for (JobState job : candidates) {
            if (job.next() != null) {
                jobs.computeIfAbsent(job.queue, queue -> new PriorityQueue<>(jobOrder))
                        .add(job);
            }
        }
        roots = heap(queues.roots());
    }

    private PriorityQueue<QueueOrder.Rank> heap(List<QueueUse> siblings) {
        PriorityQueue<QueueOrder.Rank> heap = new PriorityQueue<>(order::compare);
        for (QueueUse queue : siblings) {
            if (!queue.parts.isEmpty()) {
                parts.put(queue, heap(queue.parts));
            }
            offer(heap, queue);
        }
        return heap;
    }

    /** Puts a queue among its siblings if a job of it asks for something. */
    private void offer(PriorityQueue<QueueOrder.Rank> siblings, QueueUse queue) {
        Ask ask = first(queue);
        if (ask != null) {
            siblings.add(order.rank(queue, ask));
        }
    }

    private @Nullable Ask first(QueueUse queue) {
        PriorityQueue<QueueOrder.Rank> below = parts.get(queue);
        if (below != null) {
            QueueOrder.Rank part = below.peek();
            return part == null ? null : part.ask();
        }
        PriorityQueue<JobState> own = jobs.get(queue);
        JobState job = own == null ? null : own.peek();
        return job == null ? null : job.next();
    }

    /**
     * Takes the next request and has it decided: the job goes on if it is told so and asks for more.
     *
     * @return whether there was one
     */
    boolean serve(Decider decider) {
        List<QueueUse> path = new ArrayList<>();
        PriorityQueue<QueueOrder.Rank> siblings = roots;
        while (siblings != null && !siblings.isEmpty()) {
            QueueUse queue = siblings.remove().queue();
            path.add(queue);
            siblings = parts.get(queue);
        }
        if (path.isEmpty()) {
            return false;
        }
        QueueUse leaf = path.get(path.size() - 1);
        PriorityQueue<JobState> own = jobs.getOrDefault(leaf, new PriorityQueue<>(jobOrder));
        JobState job = own.remove();
        Ask ask = job.next(); // what was compared may be out of date, if members have left for others since
        if (ask != null && decider.decide(ask) && job.next() != null) {
            own.add(job);
        }
        for (int level = path.size() - 1; level >= 0; level--) {
            offer(level == 0 ? roots : parts.getOrDefault(path.get(level - 1), roots), path.get(level));
        }
        return true;
    }

    /** Decides one request. */
    @FunctionalInterface
    interface Decider {
        /** Returns whether its job may go on with what it asks next. */
        boolean decide(Ask ask);
    }
}
