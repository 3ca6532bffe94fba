package io.gpusched.queue;

import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides for many jobs in queues which start, which move and which leave.
 *
 * <pre>{@code
 * SchedulingCycle cycle = SchedulingCycle.create();
 * Plan plan = cycle.plan(QueueState.of(cluster, queues, jobs), now);
 * plan.steps().forEach(step -> carryOut(step));
 * }</pre>
 *
 * <p>A plan is a pure function of the state, the time and the settings. The passes go from the least disruptive to the most, see
 * {@link CyclePass}. Each proposes statements, and one gate takes the statements that break no law: a pod starts only where the scheduler would admit
 * it as a new pod at that moment; a group starts with its minimum and loses it only whole; queues stay within their limits at all times; no
 * pod is evicted unless that makes room for a job that the same plan nominates, and each that is evicted is needed; what is nominated or
 * reserved is held. A plan that is carried out and planned again is empty, but for moves: a job that starts by one plan can move by the
 * next. A job that cannot be decided about is told in the plan, and all others are planned.
 *
 * <p>What-if is the same call: plan with one job more, look, and throw the plan away.
 *
 * <p>What follows from a job alone is computed once and kept as long as the job is the same object: hand in the jobs that did not change as
 * the same objects. That never changes an answer. Not thread-safe; take one for each thread.
 */
public final class SchedulingCycle {
    private final CycleSettings settings;
    private final Places places;
    private final Consumer<Plan> listener;
    private @Nullable PlanInput last;

    private SchedulingCycle(CycleSettings settings, Places places, Consumer<Plan> listener) {
        this.settings = settings;
        this.places = places;
        this.listener = listener;
    }

    /** Returns a cycle with the {@linkplain CycleSettings#standard() standard settings} and {@link GpuScheduler#create()}. */
    public static SchedulingCycle create() {
        return of(CycleSettings.standard(), GpuScheduler.create());
    }

    /**
     * Returns a cycle.
     *
     * @param settings how it decides among jobs
     * @param scheduler how it decides among places: its policy, budget and memory are taken, what it remembers is not, and its listener
     *     does not hear of what-ifs
     */
    public static SchedulingCycle of(CycleSettings settings, GpuScheduler scheduler) {
        return of(settings, scheduler, plan -> {});
    }

    /**
     * Returns a cycle with a listener.
     *
     * @param listener hears each plan before it is returned, on the thread that plans; it must not use the cycle
     */
    public static SchedulingCycle of(CycleSettings settings, GpuScheduler scheduler, Consumer<Plan> listener) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(listener, "listener");
        return new SchedulingCycle(settings, new Places(scheduler), listener);
    }

    /** Returns how it decides among jobs. */
    public CycleSettings settings() {
        return settings;
    }

    /** Returns how places are compared, but for jobs that have a policy of their own. */
    public PlacementPolicy policy() {
        return places.policy();
    }

    /** Returns how much one decision about a place may search. */
    public SearchBudget budget() {
        return places.budget();
    }

    /**
     * Plans one cycle.
     *
     * @param state the cluster, its queues, and the jobs
     * @param now the time, in the unit of the jobs' times
     */
    public Plan plan(QueueState state, long now) {
        Objects.requireNonNull(state, "state");
        PlanInput input = PlanInput.of(last, state, settings, now);
        Plan plan = CycleRun.plan(input, places);
        last = input;
        listener.accept(plan);
        return plan;
    }
}
