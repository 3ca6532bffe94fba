package io.gpusched.conformance.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs of a real trace on one pool of 64 GPUs, run times known: two programs written apart from this one say when each starts. The start
 * that a job is told never moves later.
 */
class RigidJobsTest {
    private static final int GPUS = 64;

    /** The columns of a file that says when jobs start by EASY too, which depends on who comes later. */
    private static final int ALL_RULES = 7;

    private record RigidJob(String name, long submit, int gpus, long duration, Map<Backfill, Long> starts) {
        Job pending() {
            Pod pod = Pod.of(name, Resources.of(1, 1), GpuRequest.exclusive(gpus));
            return Job.pending(JobSpec.builder(PodGroup.of(name, List.of(pod)), "q")
                    .submitted(submit)
                    .maxDuration(duration)
                    .build());
        }
    }

    private final Map<String, RigidJob> jobs = new HashMap<>();
    private final TreeMap<Long, List<RigidJob>> arriving = new TreeMap<>();
    private final TreeMap<Long, List<String>> ending = new TreeMap<>();
    private final Map<String, Long> started = new HashMap<>();
    private final Map<String, Long> told = new HashMap<>();

    private void read(String file) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(RigidJobsTest.class.getResourceAsStream("/rigid/" + file)),
                StandardCharsets.UTF_8))) {
            reader.lines().filter(line -> Character.isDigit(line.charAt(0))).forEach(line -> {
                String[] cells = line.split(",");
                RigidJob job = new RigidJob(
                        "j" + cells[0],
                        Long.parseLong(cells[1]),
                        Integer.parseInt(cells[2]),
                        Long.parseLong(cells[3]),
                        cells.length == ALL_RULES
                                ? Map.of(
                                        Backfill.NOBODY, Long.parseLong(cells[4]),
                                        Backfill.EASY, Long.parseLong(cells[5]),
                                        Backfill.CONSERVATIVE, Long.parseLong(cells[6]))
                                : Map.of(
                                        Backfill.NOBODY, Long.parseLong(cells[4]),
                                        Backfill.CONSERVATIVE, Long.parseLong(cells[5])));
                jobs.put(job.name(), job);
                arriving.computeIfAbsent(job.submit(), time -> new ArrayList<>())
                        .add(job);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NOBODY", "EASY", "CONSERVATIVE"})
    void eachJobStartsWhenTheTextbookSaysSo(Backfill rule) {
        play("pcs-5.csv", rule, Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
    }

    @ParameterizedTest
    @CsvSource({
        "pcs-1-head.csv, NOBODY",
        "pcs-1-head.csv, CONSERVATIVE",
        "pcs-6-head.csv, NOBODY",
        "pcs-6-head.csv, CONSERVATIVE",
        "pcs-7f04ca-head.csv, NOBODY",
        "pcs-7f04ca-head.csv, CONSERVATIVE"
    })
    void eachOfTheFirstJobsOfOtherTraces_startsWhenTheTextbookSaysSo(String file, Backfill rule) {
        play(file, rule, Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
    }

    /** In one queue of equal priorities there is nobody to evict, and on one node nowhere to move to. */
    @ParameterizedTest
    @EnumSource(names = {"NOBODY", "EASY", "CONSERVATIVE"})
    void eachJobStartsWhenTheTextbookSaysSo_whateverPassesRun(Backfill rule) {
        play("pcs-5.csv", rule, Set.of(CyclePass.values()));
    }

    private void play(String file, Backfill rule, Set<CyclePass> passes) {
        read(file);
        SchedulingCycle cycle = SchedulingCycle.of(
                CycleSettings.standard().withPasses(passes).withBackfill(rule), GpuScheduler.of(FirstFit.of()));
        Node pool = Node.builder("pool")
                .capacity(1_000_000, 1_000_000)
                .gpus(GPUS, GpuModel.of("nvidia", "V100", 16_384))
                .build();
        QueueState state = QueueState.of(
                Cluster.of(List.of(pool)),
                QueueTree.of(List.of(JobQueue.builder("q").build())),
                List.of());
        while (!arriving.isEmpty() || !ending.isEmpty()) {
            long now = arriving.isEmpty()
                    ? ending.firstKey()
                    : ending.isEmpty() ? arriving.firstKey() : Math.min(arriving.firstKey(), ending.firstKey());
            Plan plan = cycle.plan(changed(state, now), now);
            note(plan, now);
            state = plan.after();
        }
        assertThat(started).hasSameSizeAs(jobs);
        jobs.values()
                .forEach(job -> assertThat(started.get(job.name()))
                        .as(job.toString())
                        .isEqualTo(job.starts().get(rule)));
    }

    private QueueState changed(QueueState state, long now) {
        List<String> ended = Objects.requireNonNullElse(ending.remove(now), List.of());
        QueueState next = state;
        for (String job : ended) {
            next = next.withoutJob(job);
        }
        for (RigidJob job : Objects.requireNonNullElse(arriving.remove(now), List.<RigidJob>of())) {
            next = next.withJob(job.pending());
        }
        return next;
    }

    private void note(Plan plan, long now) {
        for (PlanStep.Bind bind : plan.bindings()) {
            assertThat(now).as(bind.job()).isLessThanOrEqualTo(told.getOrDefault(bind.job(), now));
            started.put(bind.job(), now);
            ending.computeIfAbsent(now + jobs.get(bind.job()).duration(), time -> new ArrayList<>())
                    .add(bind.job());
        }
        for (PendingJob pending : plan.pending()) {
            if (pending.reason() instanceof PendingReason.Reserved reserved) {
                long before = told.getOrDefault(pending.job(), Long.MAX_VALUE);
                assertThat(reserved.start()).as(pending.job()).isLessThanOrEqualTo(before);
                told.put(pending.job(), reserved.start());
            }
        }
    }
}
