package io.gpusched.internal.cycle;

import io.gpusched.workload.Eviction;
import io.gpusched.workload.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The jobs that ask for something. Those of one queue that get the same answer at the same time stand in one line, so that all of them can
 * be refused at once and only the different ones cost a search; those that got something in this cycle stand alone.
 *
 * <p>Kept from one cycle to the next: a line is put in order again if somebody came or went.
 */
final class Waiting {
    private final Map<QueueUse, Map<Object, Line>> lines = new HashMap<>();
    private final Set<JobState> alone = new LinkedHashSet<>();
    private JobOrder order;

    Waiting(JobOrder order) {
        this.order = order;
    }

    /** Jobs of one queue that ask for the same, in order when a cycle starts, and some who are not in it any more. */
    private static final class Line {
        private final List<JobState> jobs = new ArrayList<>();
        private boolean isChanged;
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

    /** A job comes. */
    void enter(JobState job) {
        Ask ask = job.next();
        if (ask != null) {
            job.kind = kind(ask);
            Line line = lines.computeIfAbsent(job.queue, queue -> new LinkedHashMap<>())
                    .computeIfAbsent(job.kind, kind -> new Line());
            line.jobs.add(job);
            line.isChanged = true;
        }
    }

    /** A job goes. */
    void leave(JobState job) {
        Object kind = job.kind;
        Line line =
                kind == null ? null : lines.getOrDefault(job.queue, Map.of()).get(kind);
        if (line != null) {
            line.isChanged = true;
        }
        job.kind = null;
    }

    /** A cycle starts. */
    void start(JobOrder now) {
        order = now;
        alone.clear();
        for (Map<Object, Line> ofQueue : lines.values()) {
            Iterator<Line> each = ofQueue.values().iterator();
            while (each.hasNext()) {
                Line line = each.next();
                arrange(line);
                if (line.jobs.isEmpty()) {
                    each.remove();
                }
            }
        }
    }

    private void arrange(Line line) {
        if (line.isChanged) {
            line.jobs.removeIf(job -> job.kind == null);
            line.jobs.sort(order);
        }
        line.isChanged = false;
    }

    /** From now on a job stands for itself, if it asks for something. */
    void standAlone(JobState job) {
        leave(job);
        alone.add(job);
    }

    /** The lines of each queue as they are now, by who is first in each. */
    Map<QueueUse, PriorityQueue<Deque<JobState>>> lines() {
        Map<QueueUse, PriorityQueue<Deque<JobState>>> now = new HashMap<>();
        lines.forEach((queue, ofQueue) -> ofQueue.values().forEach(line -> {
            Deque<JobState> left = new ArrayDeque<>(line.jobs);
            if (line.isChanged || left.size() == 1) { // members of a job that stands for itself may be leaving
                left.removeIf(job -> job.kind == null || job.next() == null);
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
