package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Room for a request if others leave.
 *
 * <p>What arithmetic forbids is refused first. Then the request is looked for on snapshots without the cheapest of those who may leave,
 * twice as many each time. It is refused if there is no place without all of them: no choice of victims helps, and the scheduler's
 * proof is ours. Where there is a place, those who left are put back, the dearest first, as long as they fit beside it and the quotas
 * hold. So each who does not come back is needed: it did not fit beside those who are dearer, and none of them leaves. A minimum is put
 * back whole, and before the members beyond it.
 */
final class RoomByEviction {
    private final Cycle cycle;

    RoomByEviction(Cycle cycle) {
        this.cycle = cycle;
    }

    /** Where the request goes, and who leaves; or why there is no room. */
    record Solution(
            List<Placement> placements,
            List<Victim> victims,
            @Nullable PendingReason reason) {
        /** How many pods leave. */
        int pods() {
            return victims.stream()
                    .mapToInt(victim -> victim.placements().size())
                    .sum();
        }

        /** Whether the highest priority of those who leave is lower, or the same and fewer pods leave. */
        boolean isCheaper(Solution other) {
            int result = Integer.compare(highestPriority(), other.highestPriority());
            return result != 0 ? result < 0 : pods() < other.pods();
        }

        private int highestPriority() {
            return victims.stream()
                    .mapToInt(victim -> victim.job().job.priority())
                    .max()
                    .orElse(Integer.MIN_VALUE);
        }

        static Solution refused(PendingReason reason) {
            return new Solution(List.of(), List.of(), reason);
        }
    }

    Solution solve(Ask ask, VictimChoice choice) {
        PendingReason little = tooLittle(ask, choice);
        if (little != null) {
            return Solution.refused(little);
        }
        PendingReason hopeless = cycle.hopeless(ask, false);
        if (hopeless != null) {
            return Solution.refused(hopeless);
        }
        List<Victim> out = new ArrayList<>();
        boolean more = true;
        for (int probes = 0; more && probes < cycle.settings.victimProbes(); probes++) {
            more = grow(ask, choice, out);
            Placers.Answer answer = probe(ask, without(out));
            if (answer.isPlaced()) {
                Solution solution = settle(ask, choice, out, answer);
                if (solution.reason() == null) {
                    return solution;
                }
            } else if (probes == 0) {
                hopeless = cycle.hopeless(ask, true);
                if (hopeless != null) {
                    return Solution.refused(hopeless);
                }
            }
        }
        return without(ask, choice, choice.all());
    }

    /**
     * Returns where the request goes without these, and who of them leaves. Without everybody who may leave, each for itself, a refusal
     * is final; a place may take more than queues have to give.
     */
    Solution without(Ask ask, VictimChoice choice, List<Victim> victims) {
        Placers.Answer answer = probe(ask, without(victims));
        Unschedulable refusal = answer.refusal();
        return refusal == null
                ? settle(ask, choice, victims, answer)
                : Solution.refused(new PendingReason.NoRoom(refusal, choice.pods()));
    }

    /** Who has to leave, the cheapest first: the others come back, the dearest first, as long as there is still a place. */
    List<Victim> needed(Ask ask, List<Victim> dearestFirst) {
        Deque<Victim> rest = new ArrayDeque<>(dearestFirst);
        List<Victim> needed = new ArrayList<>();
        Set<JobState> gone = new HashSet<>();
        while (!rest.isEmpty()) {
            Victim victim = rest.remove();
            List<Victim> others = new ArrayList<>(needed);
            others.addAll(rest);
            if (gone.contains(victim.job()) || !hasPlace(ask, others)) {
                needed.add(victim);
                if (victim.isLast()) {
                    gone.add(victim.job());
                }
            }
        }
        Collections.reverse(needed);
        return needed;
    }

    /** Whether the request finds a place without these. */
    boolean hasPlace(Ask ask, List<Victim> victims) {
        return probe(ask, without(victims)).isPlaced();
    }

    /** More is asked of something than would be free if all left. */
    private @Nullable PendingReason tooLittle(Ask ask, VictimChoice choice) {
        for (int r = 0; r <= ResourceTable.MEMORY; r++) {
            long free = free(r);
            long most = choice.most(r);
            if (ask.asked()[r] > 0 && ask.asked()[r] - most > free) {
                return new PendingReason.TooLittle(cycle.resources.resource(r), ask.asked()[r], free, most);
            }
        }
        return null;
    }

    /** At most what is free once everything has ended. */
    private long free(int resource) {
        ClusterTotals totals = cycle.snapshots.later().totals();
        return switch (resource) {
            case ResourceTable.GPU -> Math.max(0, totals.gpuComputeMillis() - totals.usedGpuComputeMillis());
            case ResourceTable.CPU ->
                totals.capacity().cpuMillis() - totals.used().cpuMillis();
            default -> totals.capacity().memoryMib() - totals.used().memoryMib();
        };
    }

    /** Takes out twice as many as before, but at least what arithmetic demands; returns whether there are more. */
    private boolean grow(Ask ask, VictimChoice choice, List<Victim> out) {
        int target = Math.max(1, 2 * out.size());
        long[] freed = new long[cycle.resources.size()];
        out.forEach(victim -> Vectors.add(freed, victim.held()));
        while (out.size() < target || lacks(ask, freed)) {
            Victim victim = choice.next();
            if (victim == null) {
                return false;
            }
            out.add(victim);
            Vectors.add(freed, victim.held());
        }
        return true;
    }

    /** Whether arithmetic forbids the request beside what is freed. */
    boolean lacks(Ask ask, long[] freed) {
        for (int r = 0; r <= ResourceTable.MEMORY; r++) {
            if (ask.asked()[r] > 0 && ask.asked()[r] - freed[r] > free(r)) {
                return true;
            }
        }
        return false;
    }

    private Placers.Answer probe(Ask ask, Cluster cluster) {
        return Placers.place(cycle.placers.probe(), cluster, ask);
    }

    private Cluster without(List<Victim> victims) {
        ClusterBatch batch = cycle.snapshots.later().batch();
        for (Victim victim : victims) {
            victim.placements().forEach(placement -> batch.release(placement.pod()));
        }
        return batch.build();
    }

    private Solution settle(Ask ask, VictimChoice choice, List<Victim> out, Placers.Answer answer) {
        List<Placement> placements = answer.placements();
        List<Victim> victims = putBack(ask, choice.dearestFirst(out), placements);
        PendingReason reason = choice.forbids(victims, placements);
        if (reason == null) {
            reason = quota(ask, placements, victims);
        }
        if (reason == null) {
            reason = cycle.reservations.delays(ask, placements, victims, choice);
        }
        return reason == null ? new Solution(placements, victims, null) : Solution.refused(reason);
    }

    /** Puts back one after the other, and returns who stays out, the last of them first. */
    private List<Victim> putBack(Ask ask, List<Victim> out, List<Placement> placements) {
        Set<String> touched = new HashSet<>();
        placements.forEach(placement -> touched.add(placement.node()));
        boolean isLimited = isForbidden(ask);
        out.forEach(victim -> victim.job().queue.release(victim.held(), false));
        List<Victim> victims = new ArrayList<>();
        Set<JobState> gone = new HashSet<>();
        Cluster cluster = without(out).withAll(placements);
        for (Victim victim : out) {
            Cluster next = gone.contains(victim.job()) ? null : with(cluster, victim, touched);
            victim.job().queue.use(victim.held(), false);
            if (next == null || isLimited && isForbidden(ask)) {
                victim.job().queue.release(victim.held(), false);
                victims.add(victim);
                if (victim.isLast()) {
                    gone.add(victim.job());
                }
            } else {
                cluster = next;
            }
        }
        victims.forEach(victim -> victim.job().queue.use(victim.held(), false));
        Collections.reverse(victims);
        return victims;
    }

    private boolean isForbidden(Ask ask) {
        return cycle.queues.forbids(ask.job().queue, ask.asked(), ask.isFixed(), Certainty.PROVEN) != null;
    }

    /** Returns the snapshot with these back, or null if they do not fit; on nodes that the request does not use, they do. */
    private static @Nullable Cluster with(Cluster cluster, Victim victim, Set<String> touched) {
        Cluster next = cluster;
        for (Placement placement : victim.placements()) {
            if (next != null && touched.contains(placement.node())) {
                next = Fit.with(next, placement);
            }
        }
        return next;
    }

    /** Returns why quotas forbid the request even once these have left; null if they do not. */
    private @Nullable PendingReason quota(Ask ask, List<Placement> placements, List<Victim> victims) {
        victims.forEach(victim -> victim.job().queue.release(victim.held(), false));
        long[] held = cycle.held(ask.job(), placements);
        Vectors.max(held, ask.asked());
        PendingReason reason = cycle.queues.forbids(ask.job().queue, held, ask.isFixed(), Certainty.LIMIT);
        victims.forEach(victim -> victim.job().queue.use(victim.held(), false));
        return reason;
    }
}
