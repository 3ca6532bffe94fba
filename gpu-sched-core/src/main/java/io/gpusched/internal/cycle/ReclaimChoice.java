package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who may leave for a request of another queue.
 *
 * <p>A queue may lose a job as long as it uses more than it may keep; or more than it deserves, if the one that asks stays within what it
 * deserves. The last to leave may bring it below that. Once they have left, the one that asks may use more than its fair share at no
 * level of the tree unless its sibling there uses an even greater part of its own.
 *
 * <p>The next to leave is of the queue that uses the greatest part of what it may keep of what is asked for, at the level of the
 * siblings and then at its own.
 */
final class ReclaimChoice implements VictimChoice {
    private final ResourceTable resources;
    private final Ask ask;
    private final Comparator<Victim> cheapestFirst;
    private final List<Source> sources = new ArrayList<>();
    private final Map<QueueUse, long[]> left = new HashMap<>();

    /** A queue whose jobs may leave, the cheapest first. */
    private static final class Source {
        final QueueUse queue;

        /** The queue of its way to the top that is compared with one on the way of the one that asks. */
        final QueueUse sibling;

        final boolean isDeserved;
        final VictimPool pool;
        private final Iterator<Victim> rest;
        private @Nullable Victim first;

        Source(QueueUse queue, QueueUse sibling, boolean isDeserved, VictimPool pool) {
            this.queue = queue;
            this.sibling = sibling;
            this.isDeserved = isDeserved;
            this.pool = pool;
            this.rest = pool.victims().iterator();
            take();
        }

        /** Takes the cheapest of those who are left; null if nobody is. */
        final @Nullable Victim take() {
            Victim taken = first;
            first = rest.hasNext() ? rest.next() : null;
            return taken;
        }
    }

    ReclaimChoice(ResourceTable resources, Ask ask, VictimIndex victims) {
        this.resources = resources;
        this.cheapestFirst = victims.cheapestFirst();
        this.ask = ask;
        QueueUse mine = ask.job().queue;
        for (QueueUse queue : victims.queues()) {
            if (queue != mine) {
                QueueUse sibling = queue.siblingOf(mine);
                boolean isDeserved = mine.siblingOf(queue).deserves(ask.asked());
                if (mayLose(sibling, isDeserved, sibling.used)
                        && !victims.pool(queue).isEmpty()) {
                    sources.add(new Source(queue, sibling, isDeserved, victims.pool(queue)));
                }
            }
        }
    }

    private static boolean mayLose(Source source, long[] used) {
        return mayLose(source.sibling, source.isDeserved, used);
    }

    private static boolean mayLose(QueueUse sibling, boolean isDeserved, long[] used) {
        return !Vectors.isWithin(used, sibling.allocatable) || isDeserved && !Vectors.isWithin(used, sibling.deserved);
    }

    private long[] left(QueueUse queue) {
        return left.getOrDefault(queue, queue.used);
    }

    @Override
    public @Nullable Victim next() {
        Source best = null;
        for (Source source : sources) {
            if (source.first != null
                    && mayLose(source, left(source.sibling))
                    && (best == null || isFuller(source, best))) {
                best = source;
            }
        }
        if (best == null) {
            return null;
        }
        Victim victim = best.take();
        if (victim != null) {
            take(left, victim);
        }
        return victim;
    }

    private static void take(Map<QueueUse, long[]> left, Victim victim) {
        for (QueueUse at = victim.job().queue; at != null; at = at.parent) {
            Vectors.subtract(left.computeIfAbsent(at, queue -> queue.used.clone()), victim.held());
        }
    }

    private boolean isFuller(Source source, Source than) {
        int result = compare(source.sibling, than.sibling);
        if (result == 0) {
            result = compare(source.queue, than.queue);
        }
        return result != 0 ? result > 0 : Objects.compare(source.first, than.first, cheapestFirst) < 0;
    }

    private int compare(QueueUse first, QueueUse second) {
        for (int r = 0; r < resources.size(); r++) {
            if (ask.asked()[r] > 0) {
                int result =
                        Ratio.compare(left(first)[r], first.allocatable[r], left(second)[r], second.allocatable[r]);
                if (result != 0) {
                    return result;
                }
            }
        }
        return 0;
    }

    @Override
    public boolean isEmpty() {
        return sources.isEmpty();
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

    @Override
    public @Nullable PendingReason forbids(List<Victim> victims, List<Placement> placements) {
        Map<QueueUse, long[]> after = new HashMap<>();
        for (Victim victim : victims) {
            Source source = source(victim.job().queue);
            if (!mayLose(source, after.getOrDefault(source.sibling, source.sibling.used))) {
                return new PendingReason.Unfair(source.sibling.name(), pods());
            }
            take(after, victim);
        }
        for (QueueUse mine = ask.job().queue; mine != null; mine = mine.parent) {
            QueueUse fuller = firstLessFull(mine, after);
            if (fuller != null) {
                return new PendingReason.Unfair(fuller.name(), pods());
            }
        }
        return null;
    }

    private Source source(QueueUse queue) {
        return sources.stream()
                .filter(source -> source.queue == queue)
                .findFirst()
                .orElseThrow();
    }

    /** A sibling that lost something and is no fuller than a queue of the one that asks, which is over its fair share. */
    private @Nullable QueueUse firstLessFull(QueueUse mine, Map<QueueUse, long[]> after) {
        long[] used = after.getOrDefault(mine, mine.used).clone();
        Vectors.add(used, ask.asked());
        for (Source source : sources) {
            QueueUse sibling = source.sibling;
            long[] theirs = after.get(sibling);
            if (sibling.parent == mine.parent
                    && sibling != mine
                    && theirs != null
                    && !mayGive(mine, used, sibling, theirs)) {
                return sibling;
            }
        }
        return null;
    }

    private boolean mayGive(QueueUse mine, long[] used, QueueUse sibling, long[] theirs) {
        for (int r = 0; r < used.length; r++) {
            if (ask.asked()[r] > 0
                    && used[r] > mine.fairShare[r]
                    && sibling.fairShare[r] > 0
                    && Ratio.compare(used[r], mine.fairShare[r], theirs[r], sibling.fairShare[r]) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** What all hold, but of each queue no more than it has over what it must keep and one job more. */
    @Override
    public long most(int resource) {
        Map<QueueUse, long[]> sums = new HashMap<>();
        for (Source source : sources) {
            long[] sum = sums.computeIfAbsent(source.sibling, queue -> new long[2]);
            sum[0] += source.pool.total(resource);
            sum[1] = Math.max(sum[1], source.pool.largest(resource));
        }
        long most = 0;
        for (Source source : sources) {
            long[] sum = sums.remove(source.sibling);
            most += sum == null ? 0 : Math.min(sum[0], bound(source, resource, sum[1]));
        }
        return most;
    }

    /** As long as a queue has too much of this resource alone, it loses what it has too much, and less than one victim more. */
    private static long bound(Source source, int resource, long largest) {
        QueueUse queue = source.sibling;
        long[] keep = source.isDeserved ? lesser(queue.deserved, queue.allocatable) : queue.allocatable;
        for (int r = 0; r < keep.length; r++) {
            if (r != resource && queue.used[r] > keep[r]) {
                return Long.MAX_VALUE;
            }
        }
        return Math.max(0, queue.used[resource] - keep[resource]) + Math.max(0, largest - 1);
    }

    private static long[] lesser(long[] first, long[] second) {
        long[] least = first.clone();
        Vectors.min(least, second);
        return least;
    }
}
