package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import java.util.List;
import java.util.Optional;

/** Jobs leave that have been running with fewer members than their minimum for longer than they may. */
final class StalePass {
    private final Cycle cycle;

    StalePass(Cycle cycle) {
        this.cycle = cycle;
    }

    void run() {
        for (JobState job : cycle.open()) {
            if (!job.running.isEmpty() && job.nominated.isEmpty() && job.isBelowMinimum()) {
                long since = job.staleSince(cycle.time);
                if (cycle.time - since >= cycle.settings.staleGrace()) {
                    cycle.evict(job, List.copyOf(job.running.values()), Optional.empty(), CyclePass.STALE);
                }
            }
        }
    }
}
