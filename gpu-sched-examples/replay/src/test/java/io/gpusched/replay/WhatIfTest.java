package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a node of eight GPUs: a (6 GPUs) runs 10, b (8) comes at 1 and runs 10, c (2) comes at 2 and runs 30. Without order c passes b, which then waits for c; first come,
 * first served b starts at 10.
 */
class WhatIfTest {
    private static final Map<String, Long> RUNS = Map.of("a", 10L, "b", 10L, "c", 30L, "late", 100L);

    @TempDir
    private Path folder;

    private Past past = null;

    private static Node node(String name) {
        return Node.builder(name)
                .capacity(64_000, 512_000)
                .gpus(8, GpuModel.of("nvidia", "A100", 80_000))
                .build();
    }

    private static JobSpec spec(String name, int gpus, String queue, long now) {
        Pod pod = Pod.of(name, Resources.of(1_000, 1_000), GpuRequest.exclusive(gpus));
        return JobSpec.builder(PodGroup.of(name, List.of(pod)), queue)
                .submitted(now)
                .maxDuration(RUNS.getOrDefault(name, 0L))
                .build();
    }

    @BeforeEach
    void record() {
        Map<Long, JobSpec> arrivals = Map.of(
                0L,
                spec("a", 6, "all", 0),
                1L,
                spec("b", 8, "all", 1),
                2L,
                spec("c", 2, "all", 2),
                50L,
                spec("late", 1, "all", 50));
        SchedulingCycle cycle = SchedulingCycle.create();
        QueueState state = QueueState.of(
                Cluster.of(List.of(node("n1"))),
                QueueTree.of(List.of(JobQueue.builder("all").build())),
                List.of());
        Map<String, Long> ends = new HashMap<>();
        try (Recorder recorder = Recorder.open(folder, RecorderLimits.USUAL.withBacklog(0), why -> {})) {
            for (long time = 0; time <= 60; time++) {
                for (String name : new TreeSet<>(ends.keySet())) {
                    if (ends.getOrDefault(name, Long.MAX_VALUE) == time) {
                        state = state.withoutJob(name);
                        ends.remove(name);
                    }
                }
                if (arrivals.containsKey(time)) {
                    state = state.withJob(Job.pending(arrivals.get(time)));
                }
                Plan plan = cycle.plan(state, time);
                recorder.add(cycle, state, time, plan);
                state = plan.after();
                for (Job job : state.jobs()) {
                    if (job.isRunning()) {
                        ends.putIfAbsent(job.name(), time + RUNS.get(job.name()));
                    }
                }
            }
        }
        past = Past.of(History.open(folder), each -> {});
    }

    private static Map<String, OptionalLong> starts(Outcome outcome) {
        Map<String, OptionalLong> starts = new HashMap<>();
        outcome.jobs().forEach(job -> starts.put(job.name(), job.started()));
        return starts;
    }

    private Outcome play(WhatIf.Change change) {
        return WhatIf.play(past, change, time -> {});
    }

    @Test
    void sameRules_giveWhatWasRecorded() {
        Outcome recorded = past.outcome();
        assertThat(starts(recorded))
                .isEqualTo(Map.of(
                        "a",
                        OptionalLong.of(0),
                        "b",
                        OptionalLong.of(32),
                        "c",
                        OptionalLong.of(2),
                        "late",
                        OptionalLong.of(50)));
        Outcome same = play(WhatIf.Change.NONE);
        assertThat(same.jobs()).isEqualTo(recorded.jobs());
        assertThat(same.usedGpus()).isEqualTo(recorded.usedGpus());
        assertThat(same.strandedGpus()).isEqualTo(recorded.strandedGpus());
        assertThat(same.notes()).containsExactly("1 job had not ended when the history did; it runs until its end");
    }

    @Test
    void otherRules_changeWhoStartsWhen_andRunTimesStay() {
        Outcome fifo = play(WhatIf.Change.NONE.withRules(
                rules -> rules.withSettings(rules.settings().withBackfill(Backfill.NOBODY))));
        assertThat(starts(fifo))
                .isEqualTo(Map.of(
                        "a",
                        OptionalLong.of(0),
                        "b",
                        OptionalLong.of(10),
                        "c",
                        OptionalLong.of(20),
                        "late",
                        OptionalLong.of(50)));
        assertThat(fifo.jobs().get(2).ended()).hasValue(50);
        assertThat(fifo.waits(job -> true)).isEqualTo(new Outcome.Waits(4, 0, 27 / 4.0, 4.5, 18));
    }

    /**
     * a runs until 10, c from 2 to 32, b from 32 to 42, late from 50 to the end. Pods ask 6, 8, 2 and 1 GPUs, each as often: of two free ones (0 to 2) half
     * of the pods cannot use any, of none (2 to 10) nor of eight (42 to 50) any is stranded, six (10 to 32) are for one of four, seven (50 to 60) too.
     */
    @Test
    void numbers_areWhatIsCountedByHand() {
        Outcome outcome = past.outcome();
        assertThat(outcome.waits(job -> true)).isEqualTo(new Outcome.Waits(4, 0, 31 / 4.0, 0, 31));
        assertThat(outcome.waits(job -> !job.name().equals("c"))).isEqualTo(new Outcome.Waits(3, 0, 31 / 3.0, 0, 31));
        assertThat(outcome.waits(job -> job.name().matches("b|c"))).isEqualTo(new Outcome.Waits(2, 0, 15.5, 15.5, 31));
        assertThat(outcome.usedGpus()).isCloseTo((6 * 10 + 2 * 30 + 8 * 10 + 10) / 60.0, within(1e-9));
        assertThat(outcome.strandedGpus())
                .isCloseTo((2 * 2 * 0.5 + 6 * 22 * 0.25 + 7 * 10 * 0.25) / 60.0, within(1e-9));
    }

    @Test
    void moreNodes_letAllStartAtOnce() {
        Outcome more = play(WhatIf.Change.NONE.withAdded(List.of(node("n2"))));
        assertThat(more.jobs()).allMatch(job -> job.waited().orElse(-1) == 0);
        assertThat(more.gpus()).isEqualTo(16);
    }

    @Test
    void nodesThatWereNotThere_leaveJobsWaiting() {
        Outcome none = play(WhatIf.Change.NONE.without(List.of("n1")));
        assertThat(none.waits(job -> true)).isEqualTo(new Outcome.Waits(0, 4, 0, 0, 0));
        assertThatThrownBy(() -> play(WhatIf.Change.NONE.without(List.of("n9"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("without: there is no node \"n9\" in the history");
    }

    @Test
    void otherNodes_takeThePlaceOfAll() {
        Outcome two = play(WhatIf.Change.NONE.withNodes(List.of(node("x"), node("y"))));
        assertThat(two.waits(job -> true).started()).isEqualTo(4);
        assertThat(two.gpus()).isEqualTo(16);
    }

    @Test
    void queuesThatJobsAreNotIn_areNamed() {
        QueueTree others = QueueTree.of(List.of(JobQueue.builder("other").build()));
        assertThatThrownBy(() -> play(WhatIf.Change.NONE.withQueues(others)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "queues: there must be a queue \"all\" without parts, which job \"a\" is in, got [other]");
    }

    @Test
    void historyOfAnotherScheduler_isPlayedAsItWas_andByTheCycle() {
        Path other = folder.resolve("other");
        List<QueueState> states = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        History.open(folder).read(decision -> {
            states.add(decision.after());
            times.add(decision.time());
        });
        try (Recorder recorder = Recorder.open(other, RecorderLimits.USUAL.withBacklog(0), why -> {})) {
            for (int i = 0; i < states.size(); i++) {
                recorder.add(states.get(i), times.get(i));
            }
        }
        Past foreign = Past.of(History.open(other), each -> {});
        assertThat(foreign.isForeign()).isTrue();
        assertThat(starts(foreign.outcome())).isEqualTo(starts(past.outcome()));
        Outcome ours = WhatIf.play(
                foreign,
                WhatIf.Change.NONE.withRules(
                        rules -> rules.withSettings(rules.settings().withBackfill(Backfill.NOBODY))),
                time -> {});
        assertThat(ours.jobs())
                .filteredOn(job -> job.name().equals("b"))
                .singleElement()
                .satisfies(job -> assertThat(job.started()).hasValue(10));
        HistoryCheck check = HistoryCheck.of(History.open(other), each -> {});
        assertThat(check.checked()).isEqualTo(3);
        assertThat(check.first()).isEmpty();
    }

    @Test
    void plansThatWereRecorded_areJudgedByTheChecker() {
        HistoryCheck check = HistoryCheck.of(History.open(folder), each -> {});
        assertThat(check).isEqualTo(new HistoryCheck(61, 0, 0, List.of()));
        assertThat(Optional.of(past.profile()).map(each -> each.demands().size()))
                .hasValue(4);
    }
}
