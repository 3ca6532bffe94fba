package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs leave for those of higher priority in the same queue. What that frees and what is free may be used together, but no more than the
 * queue may keep or has already: others would take it back, and so on in turns.
 */
final class PreemptPass extends EvictionPass {
    private final Map<QueueUse, List<Victim>> victims = new HashMap<>();

    PreemptPass(Cycle cycle) {
        super(cycle, CyclePass.PREEMPT);
    }

    @Override
    Object circumstances(Ask ask) {
        return List.of(ask.job().queue.name(), ask.job().job.priority(), ask.isFixed());
    }

    @Override
    @Nullable
    PendingReason forbids(Ask ask) {
        return null;
    }

    @Override
    VictimChoice choice(Ask ask) {
        List<Victim> all = new ArrayList<>();
        for (Victim victim : victims.computeIfAbsent(ask.job().queue, this::inQueue)) {
            if (victim.job().job.priority() < ask.job().job.priority()) {
                all.add(victim);
            }
        }
        return new PreemptChoice(all, ask);
    }

    private List<Victim> inQueue(QueueUse queue) {
        List<Victim> all = new ArrayList<>();
        for (JobState job : cycle.jobs) {
            if (job.queue == queue) {
                all.addAll(order.of(job));
            }
        }
        all.sort(order.cheapestFirst());
        return all;
    }

    @Override
    void renew(JobState job) {
        victims.remove(job.queue);
    }

    @Override
    void forget(List<Victim> gone) {
        gone.forEach(victim -> victims.remove(victim.job().queue));
    }
}
