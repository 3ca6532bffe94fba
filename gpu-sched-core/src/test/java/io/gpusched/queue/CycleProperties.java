package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of every plan, on random small clusters whose evictions take their time. */
class CycleProperties {
    private static final int CYCLES = 50;

    /** A job that arrives in a cycle, of equal pods of so many GPUs, and how long its pods take to end. */
    record Arrival(int cycle, int queue, int pods, int minimum, int gpus, int priority, int delay) {}

    @Provide
    Arbitrary<List<Arrival>> arrivals() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 4))
                .as((cycle, queue, pods, minimum, gpus, priority, delay) ->
                        new Arrival(cycle, queue, pods, Math.min(minimum, pods), gpus, priority, delay))
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Property(tries = 300)
    void plansHold_overManyCyclesWithEvictionsThatTakeTheirTime(@ForAll("arrivals") List<Arrival> arrivals) {
        SchedulingCycle cycle = SchedulingCycle.create();
        QueueState state =
                new World(2, 4).queue("q0", 4).queue("q1", 3).queue("q2", 0).state();
        Map<PodId, Integer> ends = new HashMap<>();
        int lastStep = 0;
        for (int time = 0; time < CYCLES; time++) {
            state = arrive(ended(state, ends, time), arrivals, time);
            Plan plan = cycle.plan(state, time);
            check(state, plan, time);
            Plan fresh = SchedulingCycle.create().plan(state, time);
            assertThat(fresh.steps()).as("what a new instance plans").isEqualTo(plan.steps());
            assertThat(fresh.pending()).as("why a new instance lets wait").isEqualTo(plan.pending());
            plan.evictions().forEach(evict -> ends.put(evict.pod(), 0));
            for (PlanStep step : plan.steps()) {
                if (step instanceof PlanStep.Evict || step instanceof PlanStep.Move) {
                    ends.put(step.pod(), time + 1 + delay(arrivals, step.job()));
                }
            }
            lastStep = plan.isEmpty() ? lastStep : time;
            state = plan.after();
        }
        assertThat(lastStep).as("last cycle in which anything was decided").isLessThan(CYCLES - 5);
    }

    /** Extras start where the minimum waits for others to end: with them it is large enough for those whose places are free. */
    @Example
    void heldMembersStart_inTheCycleInWhichOthersAreTheMinimum() {
        plansHold_overManyCyclesWithEvictionsThatTakeTheirTime(List.of(
                new Arrival(0, 0, 1, 1, 1, 0, 0),
                new Arrival(0, 1, 3, 1, 1, 0, 0),
                new Arrival(0, 1, 1, 1, 1, 0, 0),
                new Arrival(5, 0, 2, 2, 2, 0, 0),
                new Arrival(6, 1, 1, 1, 4, 2, 0),
                new Arrival(6, 0, 4, 2, 1, 2, 3)));
    }

    private static int delay(List<Arrival> arrivals, String job) {
        return arrivals.get(Integer.parseInt(job.substring(1))).delay();
    }

    private static QueueState ended(QueueState state, Map<PodId, Integer> ends, int time) {
        List<PodId> pods = ends.keySet().stream()
                .filter(pod -> ends.get(pod) <= time)
                .sorted()
                .toList();
        pods.forEach(ends::remove);
        return state.withEnded(pods);
    }

    private static QueueState arrive(QueueState state, List<Arrival> arrivals, int time) {
        QueueState more = state;
        for (int i = 0; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            if (arrival.cycle() == time) {
                more = more.withJob(Job.pending(JobSpec.builder(
                                World.group("j" + i, arrival.pods(), arrival.gpus())
                                        .withMinMember(arrival.minimum()),
                                "q" + arrival.queue())
                        .priority(arrival.priority())
                        .submitted(time)
                        .build()));
            }
        }
        return more;
    }

    private static void check(QueueState before, Plan plan, int time) {
        plan.after().cluster().validate();
        assertThat(SchedulingCycle.create().plan(plan.after(), time).steps())
                .as("planned again")
                .isEmpty();
        Set<PodId> seen = new HashSet<>();
        for (PlanStep step : plan.steps()) {
            boolean isOnce = step instanceof PlanStep.Bind
                    || step instanceof PlanStep.Evict
                    || step instanceof PlanStep.Move
                    || step instanceof PlanStep.Nominate;
            assertThat(!isOnce || seen.add(step.pod()))
                    .as("twice in one plan: " + step)
                    .isTrue();
        }
        Set<String> served = new HashSet<>();
        plan.bindings().forEach(step -> served.add(step.job()));
        plan.nominations().forEach(step -> served.add(step.job()));
        for (PlanStep.Evict evict : plan.evictions()) {
            assertThat(evict.pass() == CyclePass.STALE
                            || served.contains(evict.beneficiary().orElseThrow()))
                    .as("evicted for nobody: " + evict)
                    .isTrue();
        }
        for (Job job : plan.after().jobs()) {
            int placed = job.running().size() + job.nominated().size();
            assertThat(placed == 0 || placed >= job.group().minMember())
                    .as("below its minimum: " + job)
                    .isTrue();
        }
        later(plan.after()).validate();
        assertThat(before.jobs()).hasSameSizeAs(plan.after().jobs());
    }

    /** The cluster once everything has ended and what is nominated runs; throws if that does not fit. */
    private static Cluster later(QueueState state) {
        Cluster cluster = state.cluster();
        for (Job job : state.jobs()) {
            for (Placement placement : job.terminating()) {
                cluster = cluster.without(placement.pod());
            }
        }
        for (Job job : state.jobs()) {
            cluster = cluster.withAll(job.nominated());
        }
        return cluster;
    }

    @Provide
    Arbitrary<List<Arrival>> residents() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(0, 1))
                .as((pods, gpus, priority) -> new Arrival(0, 0, pods, pods, gpus, priority, 0))
                .list()
                .ofMaxSize(6);
    }

    @Property(tries = 300)
    void eachVictimIsNeeded_andARefusalIsTrue(
            @ForAll("residents") List<Arrival> residents, @ForAll("sizes") int pods, @ForAll("sizes") int gpus) {
        World world = new World(3, 4).queue("q0", 12);
        QueueState full = settled(arrive(world.state(), residents, 0));
        Job high = Job.pending(JobSpec.builder(World.group("high", pods, gpus), "q0")
                .priority(9)
                .submitted(1)
                .build());
        Plan plan = SchedulingCycle.create().plan(full.withJob(high), 1);
        Cluster later = later(plan.after());
        Map<String, List<Placement>> victims = new HashMap<>();
        plan.evictions()
                .forEach(step -> victims.computeIfAbsent(step.job(), job -> new ArrayList<>())
                        .add(step.placement()));
        victims.forEach((job, placements) ->
                assertThat(fits(later, placements)).as("needless victim " + job).isFalse());
        int least = leastVictims(full, high);
        if (plan.reason("high")
                .filter(reason -> !(reason instanceof PendingReason.Nominated))
                .isPresent()) {
            assertThat(plan.reason("high").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(least).as("victims that would have helped").isEqualTo(Integer.MAX_VALUE);
        } else {
            assertThat(plan.moves().isEmpty() ? least : 0)
                    .isLessThanOrEqualTo(plan.evictions().size());
            boolean isOnePriority =
                    residents.stream().map(Arrival::priority).distinct().count() <= 1;
            if (pods == 1 && plan.moves().isEmpty() && isOnePriority) {
                assertThat(plan.evictions()).hasSize(least);
            }
        }
    }

    private static QueueState settled(QueueState state) {
        QueueState settled = state;
        for (int i = 0; i < 10; i++) {
            settled = World.ended(SchedulingCycle.create().plan(settled, 0).after());
        }
        return settled;
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.integers().between(1, 4);
    }

    private static boolean fits(Cluster cluster, List<Placement> placements) {
        try {
            cluster.withAll(placements);
            return true;
        } catch (PlacementConflictException e) {
            return false;
        }
    }

    /** The least number of pods that have to leave, by trying every set of jobs; the greatest number if none helps. */
    private static int leastVictims(QueueState state, Job high) {
        List<Job> running = state.jobs().stream().filter(Job::isRunning).toList();
        int least = Integer.MAX_VALUE;
        for (int set = 0; set < 1 << running.size(); set++) {
            Cluster cluster = state.cluster();
            int count = 0;
            for (int i = 0; i < running.size(); i++) {
                for (Placement placement : (set >> i & 1) == 0
                        ? List.<Placement>of()
                        : running.get(i).running()) {
                    cluster = cluster.without(placement.pod());
                    count++;
                }
            }
            if (count < least
                    && GpuScheduler.create().schedule(cluster, high.group()).isPlaced()) {
                least = count;
            }
        }
        return least;
    }
}
