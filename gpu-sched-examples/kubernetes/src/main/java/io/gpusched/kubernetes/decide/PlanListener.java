package io.gpusched.kubernetes.decide;

import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;

/** Hears of each plan that is about to be carried out, on the deciding thread, which must not wait for it. */
@FunctionalInterface
public interface PlanListener {
    /** Does nothing. */
    PlanListener NONE = (cycle, state, time, plan) -> {};

    /**
     * A plan was made.
     *
     * @param cycle what made it
     * @param state what it was asked about
     * @param time the time that it was told
     * @param plan its answer
     */
    void planned(SchedulingCycle cycle, QueueState state, long time, Plan plan);
}
