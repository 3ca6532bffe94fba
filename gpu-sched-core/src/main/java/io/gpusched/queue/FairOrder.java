package io.gpusched.queue;

import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all jobs in fair order: from the top of the tree, the queue that is served next, down to its next job.
 *
 * <p>A heap for each queue. What a request gets changes only the ranks on the way from its queue to the top, which are taken out and put
 * back; ranks of queues from which victims leave are compared as they were when they were put there. O(levels · log n) a request.
 */
final class FairOrder {
    /** Decides about requests. */
    interface Decider {
        /** Returns why a request is refused; null if it is served, and its job may go on. */
        @Nullable
        PendingReason decide(Request request);

        /** Takes note of why a request is refused. */
        void refuse(Request request, PendingReason reason);
    }

    private record Waiting(Request request, JobSpec spec, boolean isBelowMinimum, long chosen) {}

    /** The highest priority first, then those below their minimum, then by the chosen order, the earliest submission, the order of the jobs. */
    private static final Comparator<Waiting> JOB_ORDER = Comparator.comparingInt(
                    (Waiting waiting) -> -waiting.spec.priority())
            .thenComparing(waiting -> !waiting.isBelowMinimum)
            .thenComparingLong(Waiting::chosen)
            .thenComparingLong(waiting -> waiting.spec.submitted())
            .thenComparingInt(waiting -> waiting.request.job());

    private final PlanInput input;
    private final Planning plan;
    private final QueueOrder order;
    private final Map<Integer, PriorityQueue<Waiting>> jobs = new HashMap<>();
    private final Map<Integer, PriorityQueue<QueueOrder.Rank>> parts = new HashMap<>();
    private final PriorityQueue<QueueOrder.Rank> roots;
    /** By queue and kind of request why it was refused, as long as that holds for all of the kind. */
    private final Map<Integer, Map<Object, PendingReason>> refused = new HashMap<>();

    FairOrder(Planning plan) {
        this.plan = plan;
        this.input = plan.input();
        order = new QueueOrder(input, plan.shares());
        Session now = plan.session();
        JobNumbers unsettled = now.unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            int j = unsettled.get(i);
            Request request = plan.next(j);
            if (request != null) {
                jobs.computeIfAbsent(input.job(j).queue, queue -> new PriorityQueue<>(JOB_ORDER))
                        .add(waiting(request, now));
            }
        }
        roots = heap(input.queues().roots());
    }

    private Waiting waiting(Request request, Session now) {
        JobFacts facts = input.job(request.job());
        JobSpec spec = facts.job.spec();
        return new Waiting(request, spec, facts.isBelowMinimum(now.status(request.job())), chosen(spec));
    }

    private long chosen(JobSpec spec) {
        return switch (input.settings().jobOrder()) {
            case SUBMITTED -> 0;
            case SHORTEST ->
                Math.max(1, spec.expectedDuration().orElse(spec.maxDuration().orElse(Long.MAX_VALUE)));
        };
    }

    private PriorityQueue<QueueOrder.Rank> heap(List<Integer> siblings) {
        PriorityQueue<QueueOrder.Rank> heap = new PriorityQueue<>(order::compare);
        for (int queue : siblings) {
            if (!input.queues().parts(queue).isEmpty()) {
                parts.put(queue, heap(input.queues().parts(queue)));
            }
            offer(heap, queue);
        }
        return heap;
    }

    /** Puts a queue among its siblings if a job of it asks for something. */
    private void offer(PriorityQueue<QueueOrder.Rank> siblings, int queue) {
        Request first = first(queue);
        if (first != null) {
            siblings.add(order.rank(plan.session(), queue, first));
        }
    }

    private @Nullable Request first(int queue) {
        PriorityQueue<QueueOrder.Rank> below = parts.get(queue);
        if (below != null) {
            QueueOrder.Rank part = below.peek();
            return part == null ? null : part.request();
        }
        PriorityQueue<Waiting> own = jobs.get(queue);
        Waiting first = own == null ? null : own.peek();
        return first == null ? null : first.request;
    }

    /** Has all requests decided, one after the other. */
    void serve(Decider decider) {
        boolean isMore = true;
        while (isMore) {
            isMore = serveNext(decider);
        }
    }

    /** Has the next request decided; returns whether there was one. */
    boolean serveNext(Decider decider) {
        List<Integer> path = new ArrayList<>();
        PriorityQueue<QueueOrder.Rank> siblings = roots;
        while (siblings != null && !siblings.isEmpty()) {
            int queue = siblings.remove().queue();
            path.add(queue);
            siblings = parts.get(queue);
        }
        if (path.isEmpty()) {
            return false;
        }
        int queue = path.get(path.size() - 1);
        PriorityQueue<Waiting> own = jobs.get(queue);
        if (own != null) {
            serveFirst(queue, own, decider);
        }
        for (int level = path.size() - 1; level >= 0; level--) {
            PriorityQueue<QueueOrder.Rank> above = level == 0 ? roots : parts.get(path.get(level - 1));
            offer(above == null ? roots : above, path.get(level));
        }
        return true;
    }

    private void serveFirst(int queue, PriorityQueue<Waiting> own, Decider decider) {
        int job = own.remove().request.job();
        Request request = plan.next(job); // what was compared is out of date if members have left since
        if (request != null) {
            plan.guarded(job, () -> serve(request, own, decider));
        }
        passOver(queue, own, decider);
    }

    private void serve(Request request, PriorityQueue<Waiting> own, Decider decider) {
        PendingReason reason = decider.decide(request);
        if (reason != null) {
            decider.refuse(request, reason);
            return;
        }
        Request more = plan.next(request.job());
        if (more != null) {
            own.add(waiting(more, plan.session()));
        }
    }

    /** Takes note that all requests of this kind in its queue are refused as this one was. */
    void refuseAlike(Request request, PendingReason reason) {
        Object kind = alike(request);
        if (kind != null) {
            refused.computeIfAbsent(input.job(request.job()).queue, queue -> new HashMap<>())
                    .put(kind, reason);
        }
    }

    private void passOver(int queue, PriorityQueue<Waiting> own, Decider decider) {
        Map<Object, PendingReason> known = refused.get(queue);
        while (known != null && !own.isEmpty()) {
            Request next = plan.next(own.element().request.job());
            Object kind = next == null ? null : alike(next);
            PendingReason reason = kind == null ? null : known.get(kind);
            if (next == null || reason == null) {
                return;
            }
            own.remove();
            decider.refuse(next, reason);
        }
    }

    private record Alike(
            Object kind, int priority, boolean isFixed, boolean isMinimum, Optional<PlacementPolicy> policy) {}

    /** What requests of one queue have in common that get the same answer at the same time; null if that cannot be told. */
    private @Nullable Object alike(Request request) {
        Object kind = request.kind();
        JobFacts facts = input.job(request.job());
        JobSpec spec = facts.job.spec();
        JobStatus status = plan.session().status(request.job());
        boolean isLikeOthers = status.isPending() && !spec.promised() && spec.preemptionDelay() == 0;
        return kind == null || !isLikeOthers
                ? null
                : new Alike(
                        kind, spec.priority(), facts.isFixed(request.isMinimum()), request.isMinimum(), spec.policy());
    }
}
