package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes the plans of {@link CycleRound}, by the library's cycle. A plan is made again where it would evict more than disruption budgets
 * allow, attach more volumes than nodes do, or where a group found no room in the narrowest domains that it may use. Not thread-safe.
 */
final class CyclePlans {
    private static final long STALE_MILLIS = 60_000;

    /** How many plans are made in a round at most. */
    private static final int MOST_PLANS = 24;

    private final Tables tables;
    private final CycleStates states;
    private final Budgets budgets;
    private final WaitingWords waiting;
    private final Clock clock;
    private final CycleSettings settings;
    private final Reserved reserved;
    private final Map<String, Long> staleSince = new HashMap<>();
    private final Sifting sifting = new Sifting();
    private final @Nullable PlanCheck check;
    private final PlanListener listener;
    private @Nullable PlacementPolicy policy;
    private @Nullable SchedulingCycle cycle;

    CyclePlans(
            Tables tables, CycleStates states, Budgets budgets, WaitingWords waiting, QueueSettings how, Clock clock) {
        this.tables = tables;
        this.states = states;
        this.budgets = budgets;
        this.waiting = waiting;
        this.clock = clock;
        this.settings = CycleSettings.standard()
                .withPasses(EnumSet.complementOf(EnumSet.of(CyclePass.CONSOLIDATE)))
                .withStaleGrace(STALE_MILLIS)
                .withBackfill(how.backfill())
                .withForecasts(0); // Forecasts tells starts, less often
        this.reserved = new Reserved(tables.book());
        this.check = how.verify() ? new PlanCheck() : null;
        this.listener = how.listener();
    }

    /**
     * What was planned.
     *
     * @param before the state that it was planned for
     * @param plan the steps to carry out
     * @param violating victims that disruption budgets do not let go; if there are any, only bindings may be carried out
     * @param decisions what was refused on the way
     */
    record Planned(
            Map<String, JobInput> inputs,
            QueueState before,
            long time,
            Plan plan,
            Decisions decisions,
            Set<PodId> violating) {
        Planned with(Plan other) {
            return new Planned(inputs, before, time, other, decisions, violating);
        }
    }

    /**
     * Plans until nothing stands against the plan.
     *
     * @param kept pods that are not to be evicted; pods that budgets protect are added
     */
    Planned plan(long now, Set<PodId> kept) {
        kept.addAll(budgets.exhausted());
        states.begin();
        Planned one = attempt(now, kept);
        for (int i = 1; i < MOST_PLANS && isToBeMadeAgain(one, kept); i++) {
            one = attempt(now, kept);
        }
        listener.planned(Objects.requireNonNull(cycle, "cycle"), one.before(), one.time(), one.plan());
        return one.with(lawful(one));
    }

    /** What stands against a plan is kept in mind for the next one. */
    private boolean isToBeMadeAgain(Planned one, Set<PodId> kept) {
        boolean again = kept.addAll(one.violating());
        return states.isToBeAskedAgain(one.plan(), one.inputs()) || again;
    }

    /** Returns the jobs and the cluster as they are, without what keeps a job from being looked at. */
    QueueState seen(long now) {
        Decisions unused = Decisions.empty();
        List<Job> all = states.jobs(now, clock.millis(), Set.of(), unused).stream()
                .map(JobInput::job)
                .toList();
        return sifting.plan(
                all,
                some -> QueueState.of(tables.book().cluster(), tables.queues().tree(), some));
    }

    private Planned attempt(long now, Set<PodId> kept) {
        Decisions decisions = Decisions.empty();
        Map<String, JobInput> inputs = new LinkedHashMap<>();
        List<Job> all = new ArrayList<>();
        long time = clock.millis();
        for (JobInput input : states.jobs(now, time, kept, decisions)) {
            try {
                all.add(job(input));
                inputs.put(input.job().name(), input);
            } catch (RuntimeException e) {
                waiting.failed(input, "the scheduler failed: " + e, decisions);
            }
        }
        AtomicReference<QueueState> before = new AtomicReference<>();
        Plan plan = sifting.plan(all, some -> {
            QueueState state =
                    QueueState.of(tables.book().cluster(), tables.queues().tree(), some);
            before.set(state);
            return cycle().plan(state, time);
        });
        sifting.failures()
                .forEach((name, why) -> waiting.failed(Objects.requireNonNull(inputs.remove(name)), why, decisions));
        return new Planned(
                inputs, Objects.requireNonNull(before.get()), time, plan, decisions, budgets.violating(plan));
    }

    /** A job as this cycle looks at it, with what earlier ones left. */
    private Job job(JobInput input) {
        Long since = staleSince.get(input.job().name());
        Job job = reserved.with(input);
        return since == null ? job : job.withStatus(job.status().withStaleSince(since));
    }

    /** Returns the plan without the steps that would break a law; the pods of their jobs say so. */
    private Plan lawful(Planned one) {
        if (check == null) {
            return one.plan();
        }
        Map<String, String> stopped = check.stopped(one.before(), settings, one.time(), one.plan());
        stopped.forEach((name, laws) -> {
            JobInput input = one.inputs().get(name);
            if (input != null) {
                waiting.failed(input, "stopped, as it would break a law: " + laws, one.decisions());
                input.ready()
                        .values()
                        .forEach(ready -> one.decisions().troubles().add(trouble(ready.pod(), laws)));
            }
        });
        return PlanCheck.without(one.plan(), stopped.keySet());
    }

    private static Trouble trouble(PendingPod pod, String laws) {
        return new Trouble("Pod", pod.id().namespace(), pod.id().name(), pod.uid(), "LawBroken", laws);
    }

    /** By the policy of the first dialect, where a job names none. */
    private SchedulingCycle cycle() {
        ClusterBook book = tables.book();
        Dialect first = book.informed(book.dialects().first().dialect());
        if (cycle == null || !first.policy().equals(policy)) {
            policy = first.policy();
            cycle = SchedulingCycle.of(settings, GpuScheduler.of(first.policy()));
        }
        return cycle;
    }

    /** The policy by which jobs are placed that name none. */
    PlacementPolicy policy() {
        return Objects.requireNonNull(policy, "policy");
    }

    /** Takes note of what was carried out, for the next plan. */
    void remember(Plan plan) {
        reserved.remember(plan);
        staleSince.clear();
        for (Job job : plan.after().jobs()) {
            job.status().staleSince().ifPresent(since -> staleSince.put(job.name(), since));
        }
    }
}
