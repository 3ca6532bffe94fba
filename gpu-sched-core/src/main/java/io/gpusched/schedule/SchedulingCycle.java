package io.gpusched.schedule;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Plan;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.cycle.CycleRun;
import io.gpusched.internal.cycle.Placer;
import io.gpusched.internal.cycle.Placers;
import io.gpusched.model.Cluster;
import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Decides for many jobs in queues who starts, who moves and who leaves.
 *
 * <pre>{@code
 * SchedulingCycle cycle = SchedulingCycle.create();
 * Plan plan = cycle.plan(CycleState.of(cluster, queues, jobs), now);
 * plan.steps().forEach(step -> carryOut(step));
 * }</pre>
 *
 * <p>A plan is a pure function of the state, the time and the settings. The passes go from the least disruptive to the most, see
 * {@link io.gpusched.decision.CyclePass}. Nobody is evicted unless that makes room for a job that the same plan nominates; each one that is
 * evicted is needed; the members of a job's minimum leave together; what has been nominated is held, so that nobody else takes the room
 * while others end. A plan that is carried out and planned again is empty, but for moves: who starts by one plan can move by the next.
 *
 * <p>What-if is the same call: plan with one job more, look, and throw the plan away.
 *
 * <p>It remembers what it has read of jobs, and what was hopeless, and brings that up to date by what differs from the state before: hand
 * in the jobs that did not change as the same objects. That never changes an answer. A job that did not change costs a comparison. Jobs
 * of one queue that ask for the same are refused together, so a full cluster costs one search for each different request. Not
 * thread-safe; take one for each thread.
 */
public final class SchedulingCycle {
    private final CycleSettings settings;
    private final CycleRun run;

    private SchedulingCycle(CycleSettings settings, Placers placers) {
        this.settings = settings;
        this.run = new CycleRun(settings, placers);
    }

    /** Returns a cycle with the {@linkplain CycleSettings#standard() standard settings} and {@link GpuScheduler#create()}. */
    public static SchedulingCycle create() {
        return of(CycleSettings.standard(), GpuScheduler.create());
    }

    /**
     * Returns a cycle.
     *
     * @param settings how it decides among jobs
     * @param scheduler how it decides among places: its policy, budget and memory are taken, what it remembers is not
     */
    public static SchedulingCycle of(CycleSettings settings, GpuScheduler scheduler) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(scheduler, "scheduler");
        return new SchedulingCycle(
                settings,
                new Placers(
                        placer(scheduler), placer(scheduler), placer(scheduler), placer(scheduler), placer(scheduler)));
    }

    private static Placer placer(GpuScheduler like) {
        GpuScheduler scheduler = like.toBuilder().build();
        return new Placer() {
            @Override
            public Decision place(Cluster cluster, Pod pod) {
                return scheduler.schedule(cluster, pod);
            }

            @Override
            public GroupDecision place(Cluster cluster, PodGroup group) {
                return scheduler.schedule(cluster, group);
            }

            @Override
            public Unschedulable refuse(Cluster cluster, Pod pod) {
                return refusal(
                        GpuScheduler.subject(pod),
                        () -> like.toBuilder().build().schedule(cluster, pod));
            }

            @Override
            public Unschedulable refuse(Cluster cluster, PodGroup group) {
                return refusal(
                        GpuScheduler.subject(group),
                        () -> like.toBuilder().build().schedule(cluster, group));
            }
        };
    }

    private static Unschedulable refusal(String subject, Supplier<?> decision) {
        return Unschedulable.of(subject, Certainty.PROVEN, () -> ((Unschedulable) decision.get()).diagnosis());
    }

    /** Returns how it decides among jobs. */
    public CycleSettings settings() {
        return settings;
    }

    /**
     * Plans one cycle.
     *
     * @param state the cluster, its queues, and the jobs
     * @param now the time, in the unit of the jobs' times
     * @throws io.gpusched.model.PlacementConflictException if a job's terminating members are not in the cluster
     */
    public Plan plan(CycleState state, long now) {
        Objects.requireNonNull(state, "state");
        return run.plan(state, now);
    }
}
