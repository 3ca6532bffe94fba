package io.gpusched.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * What reclaim may take: victims of queues that hold too much, see {@link ReclaimLaw}. The next is of the queue that holds the greatest
 * part of what it may keep of what is requested, at the level of the siblings and then at its own; of such queues the cheapest.
 */
final class OverShare implements Sources {
    private final Session session;
    private final Queues queues;
    private final Queues.Shares shares;
    private final Request request;
    private final List<Source> sources = new ArrayList<>();
    /** The queues that may lose more, the fullest first, as full as they were when they were put there: they only become less full. */
    private final PriorityQueue<Source> fullest = new PriorityQueue<>(this::fullestFirst);
    /** What each queue holds without the victims that were returned. */
    private final long[][] left;

    /** A queue whose victims may leave, and the queue on its way to the top that is compared with one on the way of the request's. */
    private static final class Source {
        final int queue;
        final int sibling;
        final boolean isDeserved;
        final VictimPool pool;
        private @Nullable Iterator<Victim> rest;
        private @Nullable Victim first;
        private long[] held = {};
        private long[] heldBySibling = {};

        Source(int queue, int sibling, boolean isDeserved, VictimPool pool) {
            this.queue = queue;
            this.sibling = sibling;
            this.isDeserved = isDeserved;
            this.pool = pool;
        }

        /** Returns the cheapest victim that was not taken; null if there is none. The victims are put in order when first asked for. */
        final @Nullable Victim first() {
            if (rest == null) {
                rest = pool.victims().iterator();
                advance();
            }
            return first;
        }

        final void advance() {
            first = rest != null && rest.hasNext() ? rest.next() : null;
        }

        final boolean hasMore() {
            return rest == null || first != null;
        }
    }

    OverShare(Session session, Queues.Shares shares, Victims victims, Request request) {
        this.session = session;
        this.queues = session.input().queues();
        this.shares = shares;
        this.request = request;
        this.left = new long[queues.size()][];
        for (int queue = 0; queue < left.length; queue++) {
            left[queue] = session.held().get(queue);
        }
        int mine = session.input().job(request.job()).queue;
        for (int queue = 0; queue < queues.size(); queue++) {
            if (queue != mine && queues.parts(queue).isEmpty()) {
                int sibling = queues.siblingOf(queue, mine);
                boolean isDeserved = ReclaimLaw.isDeserved(session, mine, queue, request.atLeast());
                VictimPool pool = victims.ofQueue(session, queue);
                if (!pool.isEmpty() && mayLose(sibling, isDeserved, left[sibling])) {
                    Source source = new Source(queue, sibling, isDeserved, pool);
                    sources.add(source);
                    offer(source);
                }
            }
        }
    }

    private boolean mayLose(int sibling, boolean isDeserved, long[] held) {
        return ReclaimLaw.mayLose(session.input(), shares, sibling, isDeserved, held);
    }

    @Override
    public @Nullable Victim next() {
        Victim victim = cheapest();
        while (victim != null && isKept(victim)) {
            victim = cheapest();
        }
        for (int q = victim == null ? -1 : victim.facts().queue; victim != null && q >= 0; q = queues.parent(q)) {
            left[q] = less(left[q], victim);
        }
        return victim;
    }

    /** Whether it stays: else a queue would fall below what it deserves, or loses what it has not too much of. */
    private boolean isKept(Victim victim) {
        int mine = session.input().job(request.job()).queue;
        boolean isKai = session.input().settings().kaiVictims();
        return !isKai
                        && !ReclaimLaw.isOverfull(
                                session.input(), mine, victim.facts().queue, session.held()::get, victim.amounts())
                || ReclaimLaw.firstBelow(
                                session.input(),
                                mine,
                                victim.facts().queue,
                                session.held()::get,
                                queue -> less(left[queue], victim))
                        >= 0;
    }

    private static long[] less(long[] held, Victim victim) {
        long[] less = held.clone();
        Amounts.subtract(less, victim.amounts());
        return less;
    }

    private void offer(Source source) {
        if (source.hasMore() && mayLose(source.sibling, source.isDeserved, left[source.sibling])) {
            source.held = left[source.queue];
            source.heldBySibling = left[source.sibling];
            fullest.add(source);
        }
    }

    @SuppressWarnings("ReferenceEquality") // what a queue holds is another array once it is less
    private @Nullable Victim cheapest() {
        Source best = fullest.poll();
        while (best != null && (best.held != left[best.queue] || best.heldBySibling != left[best.sibling])) {
            offer(best);
            best = fullest.poll();
        }
        Victim cheapest = best == null ? null : best.first();
        if (best != null) {
            best.advance();
            offer(best);
        }
        return cheapest;
    }

    private int fullestFirst(Source one, Source other) {
        int result = compare(other.heldBySibling, other.sibling, one.heldBySibling, one.sibling);
        if (result == 0) {
            result = compare(other.held, other.queue, one.held, one.queue);
        }
        if (result != 0) {
            return result;
        }
        Victim first = one.first();
        Victim second = other.first();
        return first == null || second == null
                ? 0
                : Victim.cheapestFirst(session.input().settings()).compare(first, second);
    }

    /** Compares how full two queues are: what each holds, as a part of what it may keep, of the resources that are requested. */
    private int compare(long[] held, int queue, long[] otherHeld, int other) {
        long[] keep = shares.mayKeep().get(queue);
        long[] otherKeep = shares.mayKeep().get(other);
        for (int r = 0; r < keep.length; r++) {
            if (request.atLeast()[r] > 0) {
                int result = Amounts.compareRatios(held[r], keep[r], otherHeld[r], otherKeep[r]);
                if (result != 0) {
                    return result;
                }
            }
        }
        return 0;
    }

    @Override
    public List<Victim> all() {
        List<Victim> all = new ArrayList<>();
        sources.forEach(source -> all.addAll(source.pool.victims()));
        return all;
    }

    @Override
    public int pods() {
        return sources.stream().mapToInt(source -> source.pool.pods()).sum();
    }

    /** What all hold, but of each queue no more than it has over what it must keep, and the last to leave. */
    @Override
    public long most(int resource) {
        Map<Integer, long[]> sums = new HashMap<>();
        for (Source source : sources) {
            long[] sum = sums.computeIfAbsent(source.sibling, queue -> new long[2]);
            sum[0] += source.pool.total()[resource];
            sum[1] = Math.max(sum[1], source.pool.largest()[resource]);
        }
        long most = 0;
        for (Source source : sources) {
            long[] sum = sums.remove(source.sibling);
            most += sum == null ? 0 : Math.min(sum[0], bound(source, resource, sum[1]));
        }
        return most;
    }

    /** As long as a queue holds too much of this resource alone, it loses what it has too much, and less than one victim more. */
    private long bound(Source source, int resource, long largest) {
        long[] deserved = queues.deserved(source.sibling);
        long[] keep = shares.mayKeep().get(source.sibling);
        long[] held = session.held().get(source.sibling);
        long least = source.isDeserved ? Math.min(deserved[resource], keep[resource]) : keep[resource];
        for (int r = 0; r < keep.length; r++) {
            long other = source.isDeserved ? Math.min(deserved[r], keep[r]) : keep[r];
            if (r != resource && held[r] > other) {
                return Long.MAX_VALUE;
            }
        }
        return Math.max(0, held[resource] - least) + Math.max(0, largest - 1);
    }
}
