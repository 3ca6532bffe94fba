package io.gpusched.internal.cycle;

import io.gpusched.workload.Eviction;
import io.gpusched.workload.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The jobs that ask for something. Those of one queue that get the same answer at the same time stand in one line, so that all of them can
 * be refused at once and only the different ones cost a search; those that got something in this cycle stand alone.
 */
final class Waiting {
    private final JobOrder order;
    private final Map<QueueUse, Map<Object, List<JobState>>> lines = new HashMap<>();
    private final Set<JobState> alone = new LinkedHashSet<>();

    Waiting(Collection<JobState> candidates, JobOrder order) {
        this.order = order;
        for (JobState job : candidates) {
            Ask ask = job.next();
            job.isInLine = ask != null;
            if (ask != null) {
                lines.computeIfAbsent(job.queue, queue -> new LinkedHashMap<>())
                        .computeIfAbsent(kind(ask), kind -> new ArrayList<>())
                        .add(job);
            }
        }
        lines.values().forEach(ofQueue -> ofQueue.values().forEach(line -> line.sort(order)));
    }

    /** What a request has in common with others of its queue. */
    private record Kind(Object need, int pods, boolean isMinimum, int priority, Eviction eviction) {}

    /**
     * The same for those who get the same answer at the same time. The job itself if that cannot be told of others: members of it have
     * places or leave, its start was told, or it waits before others leave for it.
     */
    private static Object kind(Ask ask) {
        Object need = ask.need();
        JobState state = ask.job();
        Job job = state.job;
        boolean isLikeOthers = state.placedCount() == 0
                && state.terminating.isEmpty()
                && state.reservation() == null
                && !job.promised()
                && job.preemptionDelay() == 0;
        return need == null || !isLikeOthers
                ? state
                : new Kind(need, ask.pods().size(), ask.isMinimum(), job.priority(), job.eviction());
    }

    /** From now on a job asks for itself, if it asks for something. */
    void leaveLine(JobState job) {
        job.isInLine = false;
        alone.add(job);
    }

    /** The lines of each queue as they are now, by who is first in each. */
    Map<QueueUse, PriorityQueue<Deque<JobState>>> lines() {
        Map<QueueUse, PriorityQueue<Deque<JobState>>> now = new HashMap<>();
        lines.forEach((queue, ofQueue) -> ofQueue.values().forEach(line -> {
            Deque<JobState> left = new ArrayDeque<>(line.size());
            for (JobState job : line) {
                if (job.isInLine && job.next() != null) {
                    left.add(job);
                }
            }
            add(now, queue, left);
        }));
        for (JobState job : alone) {
            if (job.next() != null) {
                add(now, job.queue, new ArrayDeque<>(List.of(job)));
            }
        }
        return now;
    }

    private void add(Map<QueueUse, PriorityQueue<Deque<JobState>>> now, QueueUse queue, Deque<JobState> line) {
        if (!line.isEmpty()) {
            now.computeIfAbsent(queue, key -> new PriorityQueue<>(Comparator.comparing(Deque::element, order)))
                    .add(line);
        }
    }
}
