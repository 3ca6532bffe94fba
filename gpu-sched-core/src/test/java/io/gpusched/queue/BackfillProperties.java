package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** With true upper bounds of run times, whatever comes and whoever ends early: no start that was told moves later. */
class BackfillProperties {
    /** A job of equal pods that each ask for GPUs, or for a share of one; it may run for so long, and does for a part of that. */
    record Arrival(int time, int pods, int gpus, int percent, int bound, int part, int queue, int priority) {
        GpuRequest request() {
            return percent > 0 ? GpuRequest.percent(percent) : GpuRequest.exclusive(gpus);
        }

        /** One queue and one priority, so that nobody overtakes the first that waits: it alone is told a start. */
        Arrival ofOneQueue() {
            return new Arrival(time, pods, gpus, percent, bound, part, 0, 0);
        }

        /** It runs longer than it may, by up to as long again. */
        Arrival longer() {
            return new Arrival(time, pods, gpus, percent, bound, part + 4, queue, priority);
        }

        boolean isWithinBound() {
            return part <= 4;
        }

        int runs() {
            return Math.max(1, bound * part / 4);
        }
    }

    @Provide
    Arbitrary<List<Arrival>> arrivals() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 30),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.of(0, 0, 0, 30, 60),
                        Arbitraries.integers().between(1, 20),
                        Arbitraries.of(1, 3, 4, 4),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 1))
                .as(Arrival::new)
                .list()
                .ofMinSize(2)
                .ofMaxSize(16);
    }

    /** Evicted jobs start from the beginning; who leaves has ended at once. */
    @Property(tries = 400)
    void noStartThatWasToldMovesLater_whateverPassesRun(
            @ForAll("arrivals") List<Arrival> arrivals, @ForAll Backfill rule, @ForAll Set<CyclePass> passes) {
        Set<CyclePass> all = new HashSet<>(passes);
        all.addAll(List.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
        play(arrivals, rule, all);
    }

    @Property(tries = 400)
    void noStartThatWasToldMovesLater(@ForAll("arrivals") List<Arrival> arrivals, @ForAll Backfill rule) {
        QueueState left = play(arrivals, rule, Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
        assertThat(left.jobs()).allMatch(job -> isTooBig(arrivals.get(number(job.name()))));
    }

    /** Every other job is promised its start, in queues of which one has a limit, beside jobs of higher priority. */
    @Property(tries = 400)
    void noPromiseIsBroken_whateverPassesRun(
            @ForAll("arrivals") List<Arrival> arrivals, @ForAll Set<CyclePass> passes) {
        Set<CyclePass> all = new HashSet<>(passes);
        all.addAll(List.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
        JobQueue limited = JobQueue.builder("q2")
                .created(2)
                .quota(QueueResource.GPU, new Quota(0, 4_000, 1))
                .build();
        World world = new World(2, 4).queue("q0", 4).queue("q1", 3).queue(limited);
        play(arrivals, Backfill.EASY, all, world.state(), job -> job.spec().promised(), 1);
    }

    /** Starts that were told may move later then; what is remembered from cycle to cycle still changes nothing. */
    @Property(tries = 800)
    void aNewCyclePlansTheSame_ifJobsRunLongerThanTheyMay_andCyclesComeLate(
            @ForAll("arrivals") List<Arrival> arrivals,
            @ForAll Backfill rule,
            @ForAll @IntRange(min = 1, max = 7) int period) {
        World world = new World(2, 4).queue("q0", 4).queue("q1", 3).queue("q2", 0);
        play(
                arrivals.stream().map(Arrival::longer).toList(),
                rule,
                Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL),
                world.state(),
                job -> false,
                period);
    }

    private static QueueState play(List<Arrival> all, Backfill rule, Set<CyclePass> passes) {
        List<Arrival> arrivals = rule == Backfill.CONSERVATIVE
                ? all
                : all.stream().map(Arrival::ofOneQueue).toList();
        World world = new World(2, 4).queue("q0", 4).queue("q1", 3).queue("q2", 0);
        return play(arrivals, rule, passes, world.state(), job -> true, 1);
    }

    /** Cycles run where something happens, or at the next multiple of a period after it. */
    private static QueueState play(
            List<Arrival> arrivals,
            Backfill rule,
            Set<CyclePass> passes,
            QueueState empty,
            Predicate<Job> isKept,
            int period) {
        boolean isBound = arrivals.stream().allMatch(Arrival::isWithinBound);
        SchedulingCycle cycle = cycle(rule, passes);
        QueueState state = empty;
        Map<String, Long> told = new HashMap<>();
        TreeMap<Long, List<String>> ends = new TreeMap<>();
        TreeSet<Long> times = new TreeSet<>();
        arrivals.forEach(arrival -> times.add((long) arrival.time()));
        long last = -1;
        while (!times.isEmpty()) {
            long now = (times.pollFirst() + period - 1) / period * period;
            times.headSet(now, true).clear();
            List<String> gone = new ArrayList<>();
            ends.subMap(last, false, now, true).values().forEach(gone::addAll);
            state = arrive(ended(state, gone), arrivals, last, now);
            last = now;
            Plan plan = cycle.plan(state, now);
            assertThat(cycle(rule, passes).plan(state, now).steps()).isEqualTo(plan.steps());
            assertThat(cycle(rule, passes).plan(plan.after(), now).steps())
                    .as("planned again")
                    .isEmpty();
            plan.after().cluster().validate();
            for (PlanStep.Bind bind : plan.bindings()) {
                assertThat(told.getOrDefault(bind.job(), now)).as(bind.job()).isGreaterThanOrEqualTo(now);
                told.put(bind.job(), now);
            }
            for (Job job : plan.after().jobs()) {
                if (!job.terminating().isEmpty()) {
                    ends.values().forEach(names -> names.remove(job.name()));
                    told.remove(job.name());
                    times.add(now);
                } else if (job.isRunning() && job.status().started().orElseThrow() == now) {
                    long end = now + arrivals.get(number(job.name())).runs();
                    List<String> names = ends.computeIfAbsent(end, time -> new ArrayList<>());
                    if (!names.contains(job.name())) {
                        names.add(job.name());
                    }
                    times.add(end);
                }
            }
            for (PendingJob pending : plan.pending()) {
                if (pending.reason() instanceof PendingReason.Reserved reserved) {
                    boolean isSettled = plan.after().jobs().stream()
                            .allMatch(job -> job.terminating().isEmpty()
                                    && job.nominated().isEmpty());
                    assertThat(!isBound || !isSettled || reserved.certainStart() == StartCertainty.BOUND)
                            .as(pending.job())
                            .isTrue();
                    assertThat(reserved.start()).as(pending.job()).isGreaterThan(now);
                    long before = told.getOrDefault(pending.job(), Long.MAX_VALUE);
                    if (isKept.test(World.job(plan.after(), pending.job()))) {
                        assertThat(reserved.start()).as(pending.job()).isLessThanOrEqualTo(before);
                        told.put(pending.job(), reserved.start());
                    }
                    times.add(reserved.start());
                }
            }
            for (Job job : plan.after().jobs()) {
                boolean waits = told.containsKey(job.name())
                        && !job.isRunning()
                        && job.nominated().isEmpty();
                assertThat(waits && isKept.test(job) && told.get(job.name()) <= now)
                        .as(
                                "%s was told %s and waits at %s: %s",
                                job.name(), told.get(job.name()), now, plan.reason(job.name()))
                        .isFalse();
            }
            state = World.ended(plan.after());
        }
        return state;
    }

    private static boolean isTooBig(Arrival arrival) {
        return arrival.percent() == 0 && (arrival.pods() > 2 * (4 / arrival.gpus()));
    }

    private static int number(String job) {
        return Integer.parseInt(job.substring(1));
    }

    private static SchedulingCycle cycle(Backfill rule, Set<CyclePass> passes) {
        return SchedulingCycle.of(
                CycleSettings.standard().withPasses(passes).withBackfill(rule), GpuScheduler.create());
    }

    private static QueueState ended(QueueState state, List<String> names) {
        QueueState left = state;
        for (Job job : state.jobs()) {
            left = names.contains(job.name()) ? left.withoutJob(job.name()) : left;
        }
        return left;
    }

    private static QueueState arrive(QueueState state, List<Arrival> arrivals, long last, long now) {
        QueueState more = state;
        for (int i = 0; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            String name = "j" + i;
            if (arrival.time() > last
                    && arrival.time() <= now
                    && state.jobs().stream().noneMatch(job -> job.name().equals(name))) {
                more = more.withJob(Job.pending(
                        JobSpec.builder(World.group(name, arrival.pods(), arrival.request()), "q" + arrival.queue())
                                .priority(arrival.priority())
                                .submitted(now)
                                .maxDuration(arrival.bound())
                                .promised(i % 2 == 0)
                                .build()));
            }
        }
        return more;
    }
}
