package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.json.ForeignPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of a history whose scheduler is not obeyed at once, and whose jobs name policies of their own. */
class PastTest {
    @TempDir
    private Path folder;

    private final SchedulingCycle cycle = SchedulingCycle.create();

    private static Node node(String name) {
        return Node.builder(name)
                .capacity(64_000, 512_000)
                .gpus(8, GpuModel.of("nvidia", "A100", 80_000))
                .build();
    }

    private static JobSpec.Builder spec(String name, int gpus) {
        Pod pod = Pod.of(name, Resources.of(1_000, 1_000), GpuRequest.exclusive(gpus));
        return JobSpec.builder(PodGroup.of(name, List.of(pod)), "all");
    }

    private static QueueState state(Node... nodes) {
        return QueueState.of(
                Cluster.of(List.of(nodes)),
                QueueTree.of(List.of(JobQueue.builder("all").build())),
                List.of());
    }

    private Recorder recorder() {
        return Recorder.open(folder, RecorderLimits.USUAL.withBacklog(0), why -> {
            throw new AssertionError(why);
        });
    }

    private QueueState planned(Recorder recorder, QueueState state, long now) {
        Plan plan = cycle.plan(state, now);
        recorder.add(cycle, state, now, plan);
        return plan.after();
    }

    @Test
    void anEvictionThatDidNotHappen_isNone() {
        try (Recorder recorder = recorder()) {
            QueueState running = planned(
                    recorder,
                    state(node("n1")).withJob(Job.pending(spec("low", 8).build())),
                    0);
            QueueState evicting = planned(
                    recorder,
                    running.withJob(Job.pending(
                            spec("high", 8).priority(10).submitted(5).build())),
                    5);
            assertThat(evicting.job("low").orElseThrow().terminating()).hasSize(1);
            planned(recorder, running, 9); // the server refused it, and high was withdrawn
            planned(recorder, running.withoutJob("low"), 20);
        }
        Past past = Past.of(History.open(folder), any -> {});
        assertThat(past.outcome().jobs())
                .filteredOn(job -> job.name().equals("low"))
                .singleElement()
                .satisfies(low -> {
                    assertThat(low.evictions()).isZero();
                    assertThat(low.lostGpuTime()).isZero();
                    assertThat(low.started()).hasValue(0);
                });
        assertThat(past.lives().get(0).ran.values()).containsExactly(20L);
        assertThat(past.ending()).isZero();
    }

    /** One holds three GPUs and asks for eight more from 5 on, of which there are none; at 20 all is over. */
    @Test
    void theLeastThatAQueueHolds_isOfTheTimesAtWhichAJobOfItWaits() {
        try (Recorder recorder = recorder()) {
            QueueState one = planned(
                    recorder, state(node("n1")).withJob(Job.pending(spec("a", 3).build())), 0);
            QueueState two =
                    planned(recorder, one.withJob(Job.pending(spec("b", 8).build())), 5);
            QueueState rest = planned(recorder, two.withoutJob("a"), 20); // b starts at that very time
            planned(recorder, rest.withoutJob("b"), 30);
        }
        Past past = Past.of(History.open(folder), any -> {});
        assertThat(past.outcome().leastGpuMillis()).isEqualTo(Map.of("all", 3_000L));
        Outcome more = WhatIf.play(past, WhatIf.Change.NONE.withAdded(List.of(node("n2"))), time -> {});
        assertThat(more.leastGpuMillis()).isEmpty();
    }

    /** As a dialect's: it is none of the library's own. */
    private record Emptiest() implements PlacementPolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return Spread.of().score(before, after, pod);
        }

        @Override
        public String toString() {
            return "emptiest";
        }
    }

    private void recordEmptiest() {
        QueueState state = state(node("n1"), node("n2"));
        for (String name : List.of("a", "b")) {
            state = state.withJob(
                    Job.pending(spec(name, 1).policy(new Emptiest()).build()));
        }
        try (Recorder recorder = recorder()) {
            planned(recorder, state, 0);
        }
    }

    @Test
    void thePolicyThatAJobNames_isAskedAgain_whereItIsGiven() {
        recordEmptiest();
        History history = History.open(folder);
        history.read(decision -> assertThat(
                        decision.state().job("a").orElseThrow().spec().policy())
                .contains(new ForeignPolicy("emptiest")));
        HistoryReplay.Result result = HistoryReplay.of(history.withPolicies(name -> Optional.of(new Emptiest())
                .filter(policy -> policy.toString().equals(name))
                .map(policy -> policy)));
        assertThat(result.same()).isEqualTo(1);
    }

    @Test
    void anotherPolicy_isThatOfJobsTooThatNameOne() {
        recordEmptiest();
        Past past = Past.of(History.open(folder), any -> {});
        Outcome spreading =
                WhatIf.play(past, WhatIf.Change.NONE.withRules(rules -> rules.withPolicy(Spread.of())), time -> {});
        assertThat(spreading.jobs()).allMatch(job -> job.started().isPresent());
        HistoryReplay spread = HistoryReplay.by(rules -> rules.withPolicy(Spread.of()));
        History.open(folder)
                .read(decision -> assertThat(spread.plan(decision).after().cluster().nodes().stream()
                                .flatMap(node -> Stream.of(node.placements().size())))
                        .containsExactly(1, 1));
    }

    /** Two nodes run the first a until 10 while b runs; on one node b is there until 10, and the first a from then on. */
    @Test
    void jobOfANameThatIsThereAgain_comesWhenTheEarlierOneIsGone() {
        try (Recorder recorder = recorder()) {
            QueueState state = state(node("n1"), node("n2"))
                    .withJob(Job.pending(spec("b", 8).build()))
                    .withJob(Job.pending(spec("a", 8).submitted(1).build()));
            state = planned(recorder, planned(recorder, state, 0), 1);
            state = planned(recorder, state.withoutJob("a").withoutJob("b"), 10);
            state = planned(
                    recorder,
                    state.withJob(Job.pending(spec("a", 8).submitted(11).build())),
                    11);
            state = planned(recorder, state.withoutJob("a"), 30);
            planned(recorder, state, 50);
        }
        Past past = Past.of(History.open(folder), each -> {});
        Outcome one = WhatIf.play(past, WhatIf.Change.NONE.without(List.of("n2")), time -> {});
        assertThat(one.jobs()).extracting(JobOutcome::name).containsExactly("b", "a", "a");
        assertThat(one.jobs().get(2).arrived()).isEqualTo(20);
        assertThat(one.notes())
                .containsExactly(
                        "1 job came later than recorded, as an earlier one of the same name was there for longer");
        Outcome none = WhatIf.play(past, WhatIf.Change.NONE.without(List.of("n1", "n2")), time -> {});
        assertThat(none.waits(job -> true).open()).isEqualTo(3);
        assertThat(none.notes())
                .containsExactly("1 job did not come, as an earlier one of the same name was there until the end");
    }

    private JobOutcome outcome(String name) {
        return Past.of(History.open(folder), any -> {}).outcome().jobs().stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Two jobs lose their node at 10: one is gone with it, and one waits in vain until 30. */
    @Test
    void aJobThatIsGoneAfterTheLossOfItsNode_didNotEndByItself_andRanInVain() {
        try (Recorder recorder = recorder()) {
            QueueState state = state(node("n1"))
                    .withJob(Job.pending(spec("with", 4).build()))
                    .withJob(Job.pending(spec("after", 4).build()));
            state = planned(recorder, state, 0);
            state = planned(recorder, state.withoutJob("with").withNodeLost("n1"), 10);
            planned(recorder, state.withoutJob("after"), 30);
        }
        for (String name : List.of("with", "after")) {
            assertThat(outcome(name).unfinished()).as(name).isTrue();
            assertThat(outcome(name).lostGpuTime()).as(name).isEqualTo(4_000 * 10);
            assertThat(outcome(name).evictions()).as(name).isZero();
        }
        Past past = Past.of(History.open(folder), any -> {});
        assertThat(past.outcome().notes())
                .singleElement()
                .asString()
                .startsWith("2 jobs never ended by themselves: they were evicted or lost their node");
        assertThat(past.lives())
                .extracting(life -> List.copyOf(life.ran.values()))
                .containsOnly(List.of(10L));
    }

    @Test
    void aJobThatRunsAgainAfterTheLossOfItsNode_endsByItself() {
        try (Recorder recorder = recorder()) {
            QueueState state = state(node("n1"), node("n2"))
                    .withJob(Job.pending(spec("a", 4).build()));
            state = planned(recorder, state, 0);
            String node = state.job("a").orElseThrow().running().get(0).node();
            state = planned(recorder, state.withNodeLost(node), 10);
            planned(recorder, state.withoutJob("a"), 30);
        }
        assertThat(outcome("a").unfinished()).isFalse();
        assertThat(outcome("a").lostGpuTime()).isEqualTo(4_000 * 10);
        assertThat(Past.of(History.open(folder), any -> {}).outcome().notes()).isEmpty();
    }

    @Test
    void aPodThatSomebodyElseDeletes_isNotEvicted() {
        try (Recorder recorder = recorder()) {
            QueueState state = planned(
                    recorder, state(node("n1")).withJob(Job.pending(spec("a", 8).build())), 0);
            Job running = state.job("a").orElseThrow();
            QueueState deleting = state.withJobs(List.of(running.withStatus(new JobStatus(
                    List.of(),
                    running.running(),
                    List.of(),
                    running.status().started(),
                    OptionalLong.empty(),
                    Optional.empty()))));
            deleting = planned(recorder, deleting, 20);
            planned(recorder, deleting.withoutJob("a"), 21);
        }
        assertThat(outcome("a").evictions()).isZero();
        assertThat(outcome("a").lostGpuTime()).isZero();
        assertThat(outcome("a").unfinished()).isFalse();
    }

    @Test
    void clockThatGoesBack_countsAsStandingStill_andIsNoted() {
        try (Recorder recorder = recorder()) {
            QueueState state = planned(
                    recorder, state(node("n1")).withJob(Job.pending(spec("a", 8).build())), 0);
            state = planned(recorder, state.withJob(Job.pending(spec("b", 8).build())), 10);
            state = planned(recorder, state.withoutJob("a"), 7);
            planned(recorder, state, 20);
        }
        Past past = Past.of(History.open(folder), each -> {});
        Outcome recorded = past.outcome();
        assertThat(recorded.notes()).singleElement().asString().startsWith("the clock goes back at history-000001");
        assertThat(recorded.usedGpus()).isEqualTo(8);
        assertThat(recorded.waits(job -> true)).isEqualTo(new Outcome.Waits(2, 0, 0, 0, 0));
        Outcome same = WhatIf.play(past, WhatIf.Change.NONE, time -> {});
        assertThat(same.jobs()).isEqualTo(recorded.jobs());
        assertThat(same.notes()).containsAll(recorded.notes());
    }
}
