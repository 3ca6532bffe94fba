package io.gpusched.internal.cycle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in fair order: from the top of the tree, the queue that is served next, down to its next job.
 *
 * <p>A heap for each queue. What is used changes only on the way from the job that was taken to the top, and the queues on this way are
 * taken out and put back, so the heaps stay in order; where jobs of other queues leave, the order is made anew. O(levels · log).
 */
final class FairOrder {
    private final QueueOrder order;

    /** The lines of each queue, by who is first in each. */
    private final Map<QueueUse, PriorityQueue<Deque<JobState>>> lines;

    private final Map<QueueUse, PriorityQueue<QueueOrder.Rank>> parts = new HashMap<>();
    private final PriorityQueue<QueueOrder.Rank> roots;

    FairOrder(Queues queues, QueueOrder order, Waiting waiting) {
        this.order = order;
        this.lines = waiting.lines();
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
        PriorityQueue<Deque<JobState>> own = lines.get(queue);
        Deque<JobState> line = own == null ? null : own.peek();
        return line == null ? null : line.element().next();
    }

    /** Has all requests decided, one after the other. */
    void serve(Decider decider) {
        boolean more = true;
        while (more) {
            more = serveNext(decider);
        }
    }

    /**
     * Has the next request decided.
     *
     * @return whether there was one
     */
    boolean serveNext(Decider decider) {
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
        PriorityQueue<Deque<JobState>> own = lines.get(path.get(path.size() - 1));
        if (own != null) {
            serveFirst(own, decider);
        }
        for (int level = path.size() - 1; level >= 0; level--) {
            offer(level == 0 ? roots : parts.getOrDefault(path.get(level - 1), roots), path.get(level));
        }
        return true;
    }

    private static void serveFirst(PriorityQueue<Deque<JobState>> own, Decider decider) {
        Deque<JobState> line = own.remove();
        JobState job = line.remove();
        Ask ask = job.next(); // what was compared may be out of date, if members have left for others since
        Answer answer = ask == null ? Answer.REFUSED : decider.decide(ask);
        if (answer.isServed() && job.next() != null) {
            own.add(new ArrayDeque<>(List.of(job)));
        }
        if (answer.alike() != null) {
            line.forEach(answer.alike());
        } else if (!line.isEmpty()) {
            own.add(line);
        }
    }

    /** Decides one request. */
    @FunctionalInterface
    interface Decider {
        /** Returns what becomes of it. */
        Answer decide(Ask ask);
    }

    /**
     * What becomes of a request.
     *
     * @param isServed whether its job may go on with what it asks next
     * @param alike what to tell those who ask for the same, if they are refused with it; null if each is to be asked
     */
    record Answer(boolean isServed, @Nullable Consumer<JobState> alike) {
        static final Answer SERVED = new Answer(true, null);
        static final Answer REFUSED = new Answer(false, null);

        static Answer of(boolean isServed) {
            return isServed ? SERVED : REFUSED;
        }

        /** Refuses all who ask for the same. */
        static Answer refusedWithAlike(Consumer<JobState> told) {
            return new Answer(false, told);
        }
    }
}
