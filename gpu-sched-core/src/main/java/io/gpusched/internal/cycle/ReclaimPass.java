package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of queues that have more than they may keep leave for those of queues that have less than their fair share. What is compared are
 * the siblings in the tree on the way from the one queue and the other to the top.
 */
final class ReclaimPass extends EvictionPass {
    private @Nullable Map<QueueUse, VictimPool> victims;

    ReclaimPass(Cycle cycle) {
        super(cycle, CyclePass.RECLAIM);
    }

    @Override
    Object circumstances(Ask ask) {
        return List.of(ask.job().queue.name(), ask.isFixed());
    }

    /** A queue gets no more back than its fair share. */
    @Override
    @Nullable
    PendingReason forbids(Ask ask) {
        QueueUse queue = ask.job().queue;
        int r = Vectors.firstAbove(queue.used, ask.asked(), queue.fairShare);
        return r < 0
                ? null
                : new PendingReason.OverFairShare(
                        queue.name(), cycle.resources.resource(r), queue.used[r], ask.asked()[r], queue.fairShare[r]);
    }

    @Override
    VictimChoice choice(Ask ask) {
        Map<QueueUse, VictimPool> known = victims;
        if (known == null) {
            known = byQueue();
            victims = known;
        }
        return new ReclaimChoice(cycle.resources, ask, known, order.cheapestFirst());
    }

    private Map<QueueUse, VictimPool> byQueue() {
        Map<QueueUse, List<Victim>> all = new LinkedHashMap<>();
        for (JobState job : cycle.jobs) {
            List<Victim> own = order.of(job);
            if (!own.isEmpty()) {
                all.computeIfAbsent(job.queue, queue -> new ArrayList<>()).addAll(own);
            }
        }
        Map<QueueUse, VictimPool> pools = new LinkedHashMap<>();
        all.forEach(
                (queue, own) -> pools.put(queue, new VictimPool(own, order.cheapestFirst(), cycle.resources.size())));
        return pools;
    }

    @Override
    void renew(JobState job) {
        Map<QueueUse, VictimPool> known = victims;
        if (known != null) {
            List<Victim> own = order.of(job);
            VictimPool pool = known.get(job.queue);
            if (pool != null) {
                pool.replace(job, own);
            } else if (!own.isEmpty()) {
                known.put(job.queue, new VictimPool(own, order.cheapestFirst(), cycle.resources.size()));
            }
        }
    }

    @Override
    void forget(List<Victim> gone) {
        Map<QueueUse, VictimPool> known = victims;
        for (Victim victim : gone) {
            VictimPool pool = known == null ? null : known.get(victim.job().queue);
            if (pool != null) {
                pool.remove(victim);
            }
        }
    }
}
