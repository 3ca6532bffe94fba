package io.gpusched.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.queue.Reservation;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.queue.StartCertainty;
import io.gpusched.testkit.TestJobs;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans that are wrong, as a cycle once made them, and beside each the like that is right. */
class VerifierPlanTest {
    private static final GpuModel A = GpuModel.of("nvidia", "A", 40_000);
    private static final QueueTree ONE =
            QueueTree.of(List.of(JobQueue.builder("q").build()));

    private static Node node(String name, int gpus) {
        return Node.builder(name).capacity(10_000, 10_000).gpus(gpus, A).build();
    }

    private static PodGroup group(String name, int... gpus) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < gpus.length; i++) {
            GpuRequest asked = gpus[i] == 0 ? GpuRequest.none() : GpuRequest.exclusive(gpus[i]);
            pods.add(Pod.of(name + i, Resources.of(100, 100), asked));
        }
        return PodGroup.of(name, pods);
    }

    private static PodGroup ruled(String name, PodRules rules) {
        return PodGroup.of(
                name,
                List.of(Pod.of(name + "0", Resources.of(100, 100), GpuRequest.exclusive(1))
                        .withRules(rules)));
    }

    /** Where a member of a group is, by its number. */
    private static Placement at(PodGroup group, int member, String node, Integer... gpus) {
        Pod pod = group.pods().get(member);
        GpuGrant grant = gpus.length == 0 ? GpuGrant.none() : new GpuGrant.Whole(List.of(gpus));
        return new Placement(pod.id(), node, pod.resources(), List.of(ContainerGrant.of("main", grant)))
                .withSpec(pod.spec())
                .withGroup(Optional.ofNullable(group.memberships().get(pod.id())));
    }

    private static Job running(PodGroup group, Placement... placements) {
        return TestJobs.builder(group, "q")
                .started(0)
                .running(List.of(placements))
                .build();
    }

    private static Job safe(PodGroup group, Placement... placements) {
        return TestJobs.like(running(group, placements))
                .eviction(Eviction.NEVER)
                .build();
    }

    private static QueueState state(QueueTree queues, List<Node> nodes, Job... jobs) {
        Cluster cluster = Cluster.of(nodes);
        for (Job job : jobs) {
            cluster = cluster.withAll(job.running()).withAll(job.terminating());
        }
        return QueueState.of(cluster, queues, List.of(jobs));
    }

    private static final PendingReason UNKNOWN = new PendingReason.NotAsked();

    @Test
    void memberNominatedOutsideTheLocalityOfItsGroup_breaksIt() {
        PodGroup other = group("other", 1);
        PodGroup pair = group("pair", 2, 2).withMinMember(1).withLocality(Locality.oneNode());
        Placement runs = at(other, 0, "n1", 0);
        QueueState before = state(
                ONE,
                List.of(node("n0", 3), node("n1", 2)),
                running(other, runs),
                TestJobs.builder(pair, "q").build());
        WrittenPlan right =
                WrittenPlan.of(before, 1).bind("pair", at(pair, 0, "n0", 0, 1)).waits("pair", UNKNOWN);
        assertThat(right.violations()).isEmpty();
        WrittenPlan wrong = WrittenPlan.of(before, 1)
                .bind("pair", at(pair, 0, "n0", 0, 1))
                .move("other", runs, at(other, 0, "n0", 2), "pair")
                .nominate("pair", at(pair, 1, "n1", 0, 1), CyclePass.CONSOLIDATE)
                .waits("other", new PendingReason.Nominated(List.of("n0")))
                .waits("pair", new PendingReason.Nominated(List.of("n1")));
        assertThat(wrong.broken()).contains(Law.LOCALITY);
    }

    @Test
    void memberThatStartsWhileTheMinimumIsNominated_breaksTheMinimum() {
        PodGroup low = group("low", 2);
        PodGroup gang = group("gang", 1, 1, 1).withMinMember(2);
        Placement ends = at(low, 0, "n0", 0, 1);
        Job leaving = TestJobs.builder(low, "q").terminating(List.of(ends)).build();
        Job next = TestJobs.builder(gang, "q")
                .priority(5)
                .nominated(List.of(at(gang, 0, "n0", 0), at(gang, 1, "n0", 1)))
                .build();
        QueueState before = state(ONE, List.of(node("n0", 2), node("n1", 1)), leaving, next);
        PendingReason held = new PendingReason.Nominated(List.of("n0"));
        WrittenPlan nothing = WrittenPlan.of(before, 2)
                .waits("low", new PendingReason.Ending(1))
                .waits("gang", held);
        assertThat(nothing.violations()).isEmpty();
        WrittenPlan wrong = WrittenPlan.of(before, 2)
                .bind("gang", at(gang, 2, "n1", 0))
                .waits("low", new PendingReason.Ending(1))
                .waits("gang", held);
        assertThat(wrong.broken()).containsExactly(Law.MINIMUM);
    }

    @Test
    void nominationBelowTheMinimum_breaksIt() {
        PodGroup low = group("low", 1);
        PodGroup gang = group("gang", 1, 1);
        Placement ends = at(low, 0, "n0", 0);
        Job leaving = TestJobs.builder(low, "q").terminating(List.of(ends)).build();
        Placement kept = at(gang, 0, "n0", 0);
        Placement lost = at(gang, 1, "n1", 0);
        Job next = TestJobs.builder(gang, "q")
                .priority(5)
                .nominated(List.of(kept, lost))
                .build();
        QueueState before = state(ONE, List.of(node("n0", 1)), leaving, next);
        WrittenPlan wrong = WrittenPlan.of(before, 2)
                .withdraw("gang", lost)
                .waits("low", new PendingReason.Ending(1))
                .waits("gang", new PendingReason.Nominated(List.of("n0")));
        assertThat(wrong.broken()).containsExactly(Law.MINIMUM);
        WrittenPlan right = WrittenPlan.of(before, 2)
                .withdraw("gang", lost)
                .withdraw("gang", kept)
                .waits("low", new PendingReason.Ending(1))
                .waits("gang", UNKNOWN);
        assertThat(right.violations()).isEmpty();
    }

    @Test
    void planThatIsNotEmptyWhenPlannedAgain_isWrong() {
        PodGroup job = group("job", 1);
        QueueState before =
                state(ONE, List.of(node("n0", 1)), TestJobs.builder(job, "q").build());
        WrittenPlan plan = WrittenPlan.of(before, 1).bind("job", at(job, 0, "n0", 0));
        assertThat(Verifier.create().checkAgain(plan.plan()))
                .singleElement()
                .satisfies(broken -> assertThat(broken.law()).isEqualTo(Law.PLANNED_AGAIN));
        assertThat(Verifier.create().checkAgain(WrittenPlan.of(plan.after(), 1).plan()))
                .isEmpty();
    }

    @Test
    void startToldAsBoundBehindAPodThatTerminates_isNotCertain() {
        PodGroup low = group("low", 1);
        PodGroup promised = group("p", 1);
        Job leaving = TestJobs.builder(low, "q")
                .terminating(List.of(at(low, 0, "n0", 0)))
                .maxDuration(100)
                .build();
        Job next = TestJobs.builder(promised, "q").maxDuration(5).promised(true).build();
        QueueState before = state(ONE, List.of(node("n0", 1)), leaving, next);
        assertThat(told(before, promised, StartCertainty.BOUND).broken()).containsExactly(Law.CERTAINTY);
        assertThat(told(before, promised, StartCertainty.ESTIMATE).violations()).isEmpty();
    }

    private static WrittenPlan told(QueueState before, PodGroup group, StartCertainty certainty) {
        return WrittenPlan.of(before, 1)
                .with(Backfill.PROMISED)
                .reserve("p", 11, at(group, 0, "n0", 0))
                .waits("low", new PendingReason.Ending(1))
                .waits("p", new PendingReason.Reserved(11, certainty, Optional.empty()));
    }

    @Test
    void gangThatStartsInPart_breaksItsMinimum() {
        PodGroup gang = group("gang", 1, 1);
        Job next = TestJobs.builder(gang, "q")
                .nominated(List.of(at(gang, 0, "n0", 0)))
                .build();
        QueueState before = state(ONE, List.of(node("n0", 1)), next);
        WrittenPlan wrong =
                WrittenPlan.of(before, 3).bind("gang", at(gang, 0, "n0", 0)).waits("gang", UNKNOWN);
        assertThat(wrong.broken()).containsExactly(Law.MINIMUM);
    }

    private static PodRules apart(String app, String from) {
        return PodRules.NONE
                .withLabels(Map.of("app", app))
                .withAntiAffinity(PodAffinity.required(
                        PodAffinity.Term.of(LabelSelector.label("app", from), NodeRequirement.NAME)));
    }

    @Test
    void startsBesidePodsThatRulesKeepAway_breakTheRules() {
        PodGroup victim = ruled("v", PodRules.NONE.withLabels(Map.of("app", "x")));
        PodGroup high = ruled("h", apart("h", "x"));
        QueueState before = state(
                ONE,
                List.of(node("n0", 2)),
                running(victim, at(victim, 0, "n0", 1)),
                TestJobs.builder(high, "q").build());
        assertThat(WrittenPlan.of(before, 1).bind("h", at(high, 0, "n0", 0)).broken())
                .containsExactly(Law.POD_ANTI_AFFINITY);
        PodGroup port = ruled("h", PodRules.NONE.withHostPorts(HostPort.tcp(80)));
        PodGroup ending = ruled("v", PodRules.NONE.withHostPorts(HostPort.tcp(80)));
        Job leaving = TestJobs.builder(ending, "q")
                .terminating(List.of(at(ending, 0, "n0", 1)))
                .build();
        QueueState still = state(
                ONE,
                List.of(node("n0", 2)),
                leaving,
                TestJobs.builder(port, "q").build());
        assertThat(WrittenPlan.of(still, 1)
                        .bind("h", at(port, 0, "n0", 0))
                        .waits("v", new PendingReason.Ending(1))
                        .broken())
                .containsExactly(Law.HOST_PORT);
    }

    @Test
    void nominatedPodThatStartsOnANodeClosedSince_breaksTheCondition() {
        PodGroup high = group("h", 1);
        Job next = TestJobs.builder(high, "q")
                .nominated(List.of(at(high, 0, "n0", 0)))
                .build();
        Node open = node("n0", 1);
        Node tainted = open.toBuilder().taint(Taint.noSchedule("k", "v")).build();
        Map<Node, List<Law>> cases = Map.of(
                open,
                List.of(),
                open.withCordoned(true),
                List.of(Law.CORDON),
                tainted,
                List.of(Law.TAINT),
                open.withGpuHealth(0, false),
                List.of(Law.GPU_HEALTH));
        cases.forEach((node, laws) -> assertThat(WrittenPlan.of(state(ONE, List.of(node), next), 2)
                        .bind("h", at(high, 0, "n0", 0))
                        .broken())
                .isEqualTo(laws));
        cases.forEach((node, laws) -> assertThat(WrittenPlan.of(state(ONE, List.of(node), next), 2)
                        .waits("h", new PendingReason.Nominated(List.of("n0")))
                        .broken())
                .hasSize(laws.size()));
    }

    private static final QueueTree TWO = QueueTree.of(List.of(
            JobQueue.builder("small")
                    .quota(QueueResource.GPU, Quota.ofDeserved(2_000))
                    .build(),
            JobQueue.builder("large")
                    .created(1)
                    .quota(QueueResource.GPU, Quota.ofDeserved(0))
                    .build()));

    @Test
    void reclaimFromAQueueThatHasNoMoreThanItDeserves_isWrong() {
        assertThat(reclaimed("small", "large").broken()).contains(Law.RECLAIM);
        assertThat(reclaimed("large", "small").violations()).isEmpty();
    }

    private static WrittenPlan reclaimed(String from, String by) {
        PodGroup victim = group("victim", 1);
        PodGroup asker = group("asker", 2);
        Placement held = at(victim, 0, "n0", 0);
        Job runs =
                TestJobs.builder(victim, from).started(0).running(List.of(held)).build();
        QueueState before = state(
                TWO, List.of(node("n0", 2)), runs, TestJobs.builder(asker, by).build());
        return WrittenPlan.of(before, 5)
                .evict("victim", held, "asker", CyclePass.RECLAIM)
                .nominate("asker", at(asker, 0, "n0", 0, 1), CyclePass.RECLAIM)
                .waits("victim", new PendingReason.Ending(1))
                .waits("asker", new PendingReason.Nominated(List.of("n0")));
    }

    @Test
    void whoMovesStillCountsForTheLimit() {
        QueueTree limited = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.gpuModel("A"), Quota.ofDeserved(1_000).withLimit(2_000))
                .build()));
        PodGroup other = group("other", 1);
        PodGroup two = group("two", 2);
        Placement from = at(other, 0, "n0", 1);
        QueueState before = state(
                limited,
                List.of(node("n0", 2), node("n1", 2)),
                running(other, from),
                TestJobs.builder(two, "q").build());
        WrittenPlan wrong = WrittenPlan.of(before, 1)
                .move("other", from, at(other, 0, "n1", 1), "two")
                .nominate("two", at(two, 0, "n0", 0, 1), CyclePass.CONSOLIDATE)
                .waits("other", new PendingReason.Nominated(List.of("n1")))
                .waits("two", new PendingReason.Nominated(List.of("n0")));
        assertThat(wrong.violations()).anySatisfy(broken -> {
            assertThat(broken.law()).isEqualTo(Law.LIMIT);
            assertThat(broken.numbers()).isEqualTo(Map.of("used", 3_000L, "available", 2_000L));
        });
    }

    @Test
    void promisedStartThatIsGivenUpOrSlips_isBroken() {
        PodGroup first = group("first", 1);
        Placement place = at(first, 0, "n0", 1);
        PodGroup runs = group("runs", 2);
        Job promised = TestJobs.builder(first, "q")
                .maxDuration(30)
                .promised(true)
                .reservation(Optional.of(new Reservation(14, List.of(place))))
                .build();
        Job running = TestJobs.like(safe(runs, at(runs, 0, "n0", 0, 1)))
                .maxDuration(14)
                .build();
        QueueState before = state(ONE, List.of(node("n0", 2)), running, promised);
        WrittenPlan kept = WrittenPlan.of(before, 10)
                .with(Backfill.PROMISED)
                .waits("first", new PendingReason.Reserved(14, StartCertainty.BOUND, Optional.of("runs")));
        assertThat(kept.violations()).isEmpty();
        WrittenPlan gone = WrittenPlan.of(before, 10)
                .with(Backfill.PROMISED)
                .withdraw("first", place)
                .waits("first", UNKNOWN);
        assertThat(gone.broken()).containsExactly(Law.PROMISE);
        WrittenPlan later = WrittenPlan.of(before, 10)
                .with(Backfill.PROMISED)
                .reserve("first", 15, place)
                .waits("first", new PendingReason.Reserved(15, StartCertainty.BOUND, Optional.of("runs")));
        assertThat(later.broken()).containsExactly(Law.PROMISE);
        WrittenPlan sooner = WrittenPlan.of(before, 10)
                .with(Backfill.PROMISED)
                .reserve("first", 12, place)
                .waits("first", new PendingReason.Reserved(12, StartCertainty.BOUND, Optional.of("runs")));
        assertThat(sooner.broken()).containsExactly(Law.RESERVATION);
    }

    @Test
    void reservationBeyondTheLimitAtItsTime_breaksTheLimit() {
        QueueTree limited = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofDeserved(3_000).withLimit(3_000))
                .build()));
        PodGroup first = group("first", 2);
        PodGroup second = group("second", 2);
        Placement one = at(first, 0, "n0", 0, 1);
        Placement other = at(second, 0, "n0", 2, 3);
        Job runs = TestJobs.like(safe(first, one)).maxDuration(20).build();
        QueueState before = state(
                limited,
                List.of(node("n0", 4)),
                runs,
                TestJobs.builder(second, "q").maxDuration(5).build());
        assertThat(reserved(before, other, 10).broken()).containsExactly(Law.LIMIT);
        assertThat(reserved(before, other, 20).violations()).isEmpty();
    }

    private static WrittenPlan reserved(QueueState before, Placement place, long start) {
        return WrittenPlan.of(before, 5)
                .with(Backfill.CONSERVATIVE)
                .reserve("second", start, place)
                .waits("second", new PendingReason.Reserved(start, StartCertainty.BOUND, Optional.of("first")));
    }

    @Test
    void refusalOfAJobOfWhichOtherMembersFit_isFalse() {
        PodGroup unequal = group("job", 4, 2).withMinMember(1);
        QueueState before = state(
                ONE, List.of(node("n0", 2)), TestJobs.builder(unequal, "q").build());
        PendingReason none = new PendingReason.NoRoom(
                Unschedulable.of("group", Certainty.PROVEN, () -> {
                    throw new AssertionError("no diagnosis is needed");
                }),
                0);
        assertThat(WrittenPlan.of(before, 1).waits("job", none).broken()).containsExactly(Law.REASON);
        PodGroup huge = group("job", 4, 3).withMinMember(1);
        QueueState full =
                state(ONE, List.of(node("n0", 2)), TestJobs.builder(huge, "q").build());
        assertThat(WrittenPlan.of(full, 1).waits("job", none).violations()).isEmpty();
    }

    @Test
    void numbersOfAReasonAreThoseOfTheEnd() {
        QueueTree limited = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofDeserved(1_000).withLimit(2_000))
                .build()));
        PodGroup runs = group("runs", 1);
        PodGroup next = group("next", 2);
        QueueState before = state(
                limited,
                List.of(node("n0", 4)),
                running(runs, at(runs, 0, "n0", 0)),
                TestJobs.builder(next, "q").build());
        assertThat(overLimit(before, 1_000).violations()).isEmpty();
        assertThat(overLimit(before, 2_000).broken()).containsExactly(Law.REASON);
        assertThat(WrittenPlan.of(before, 1).broken()).containsExactly(Law.REASON);
    }

    private static WrittenPlan overLimit(QueueState before, long used) {
        return WrittenPlan.of(before, 1)
                .waits(
                        "next",
                        new PendingReason.OverLimit("q", QueueResource.GPU, used, 2_000, 2_000, Certainty.PROVEN));
    }

    @Test
    void victims_areNeededAllowedAndOfLowerPriority() {
        PodGroup low = group("low", 1);
        PodGroup high = group("high", 1);
        Placement held = at(low, 0, "n0", 0);
        Job next = TestJobs.builder(high, "q").priority(1).submitted(1).build();
        QueueState full = state(ONE, List.of(node("n0", 1)), running(low, held), next);
        assertThat(preempted(full, held, at(high, 0, "n0", 0)).violations()).isEmpty();
        QueueState roomy = state(ONE, List.of(node("n0", 2)), running(low, held), next);
        assertThat(preempted(roomy, held, at(high, 0, "n0", 1)).broken()).containsExactly(Law.VICTIM_NEEDED);
        QueueState never = state(ONE, List.of(node("n0", 1)), safe(low, held), next);
        assertThat(preempted(never, held, at(high, 0, "n0", 0)).broken()).containsExactly(Law.EVICTION);
        Job equal = TestJobs.like(running(low, held)).priority(1).build();
        assertThat(preempted(state(ONE, List.of(node("n0", 1)), equal, next), held, at(high, 0, "n0", 0))
                        .broken())
                .containsExactly(Law.PRIORITY);
        Job delayed = TestJobs.like(next).preemptionDelay(50).build();
        assertThat(preempted(
                                state(ONE, List.of(node("n0", 1)), running(low, held), delayed),
                                held,
                                at(high, 0, "n0", 0))
                        .broken())
                .containsExactly(Law.PREEMPTION_DELAY);
        QueueTree slow =
                QueueTree.of(List.of(JobQueue.builder("q").minRuntime(100).build()));
        assertThat(preempted(state(slow, List.of(node("n0", 1)), running(low, held), next), held, at(high, 0, "n0", 0))
                        .broken())
                .containsExactly(Law.MIN_RUNTIME);
    }

    private static WrittenPlan preempted(QueueState before, Placement victim, Placement place) {
        return WrittenPlan.of(before, 5)
                .evict("low", victim, "high", CyclePass.PREEMPT)
                .nominate("high", place, CyclePass.PREEMPT)
                .waits("low", new PendingReason.Ending(1))
                .waits("high", new PendingReason.Nominated(List.of("n0")));
    }

    @Test
    void aVictim_isStillNeededAtTheEndOfThePlan() {
        QueueTree limited = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofDeserved(3_000).withLimit(3_000))
                .build()));
        PodGroup low = group("low", 1);
        PodGroup other = group("other", 2);
        PodGroup high = group("high", 1);
        PodGroup next = group("next", 1);
        Placement heldByLow = at(low, 0, "n0", 0);
        Placement heldByOther = at(other, 0, "n1", 0, 1);
        QueueState before = state(
                limited,
                List.of(node("n0", 2), node("n1", 2)),
                running(low, heldByLow),
                running(other, heldByOther),
                TestJobs.builder(high, "q").priority(2).submitted(1).build(),
                TestJobs.builder(next, "q").priority(1).submitted(2).build());
        WrittenPlan both = WrittenPlan.of(before, 5)
                .evict("low", heldByLow, "high", CyclePass.PREEMPT)
                .nominate("high", at(high, 0, "n0", 1), CyclePass.PREEMPT)
                .evict("other", heldByOther, "next", CyclePass.PREEMPT)
                .nominate("next", at(next, 0, "n1", 0), CyclePass.PREEMPT)
                .waits("low", new PendingReason.Ending(1))
                .waits("other", new PendingReason.Ending(1))
                .waits("high", new PendingReason.Nominated(List.of("n0")))
                .waits("next", new PendingReason.Nominated(List.of("n1")));
        assertThat(both.broken()).contains(Law.VICTIM_NEEDED);
        assertThat(SchedulingCycle.create().plan(before, 5).evictions()).hasSize(1);
    }

    @Test
    void minimumOfAGang_leavesTogether() {
        PodGroup pair = group("low", 1, 1);
        PodGroup high = group("high", 1);
        Placement one = at(pair, 0, "n0", 0);
        Placement other = at(pair, 1, "n1", 0);
        Job next = TestJobs.builder(high, "q").priority(1).build();
        QueueState before = state(ONE, List.of(node("n0", 1), node("n1", 1)), running(pair, one, other), next);
        assertThat(preempted(before, one, at(high, 0, "n0", 0)).broken()).containsExactly(Law.EVICTION);
        WrittenPlan whole = WrittenPlan.of(before, 5)
                .evict("low", one, "high", CyclePass.PREEMPT)
                .evict("low", other, "high", CyclePass.PREEMPT)
                .nominate("high", at(high, 0, "n0", 0), CyclePass.PREEMPT)
                .waits("low", new PendingReason.Ending(2))
                .waits("high", new PendingReason.Nominated(List.of("n0")));
        assertThat(whole.violations()).isEmpty();
        Job single = TestJobs.like(running(pair, one, other))
                .eviction(Eviction.SINGLE)
                .build();
        QueueState loose = state(ONE, List.of(node("n0", 1), node("n1", 1)), single, next);
        assertThat(preempted(loose, one, at(high, 0, "n0", 0)).violations()).isEmpty();
    }

    @Test
    void jobThatMayNotBeEvicted_staysWithinWhatItsQueueDeserves() {
        QueueTree poor = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofDeserved(1_000))
                .build()));
        PodGroup two = group("two", 2);
        Job safe = TestJobs.builder(two, "q").eviction(Eviction.NEVER).build();
        QueueState before = state(poor, List.of(node("n0", 2)), safe);
        assertThat(WrittenPlan.of(before, 1).bind("two", at(two, 0, "n0", 0, 1)).broken())
                .containsExactly(Law.OVER_DESERVED);
        QueueState open = state(
                poor,
                List.of(node("n0", 2)),
                TestJobs.like(safe).eviction(Eviction.GANG).build());
        assertThat(WrittenPlan.of(open, 1).bind("two", at(two, 0, "n0", 0, 1)).violations())
                .isEmpty();
    }

    @Test
    void stateAfterwards_isWhereTheStepsLead() {
        PodGroup job = group("job", 1);
        QueueState before =
                state(ONE, List.of(node("n0", 1)), TestJobs.builder(job, "q").build());
        WrittenPlan plan = WrittenPlan.of(before, 1).bind("job", at(job, 0, "n0", 0));
        List<PlanStep> steps = plan.plan().steps();
        assertThat(Verifier.create()
                        .check(
                                before,
                                io.gpusched.queue.CycleSettings.standard(),
                                1,
                                new io.gpusched.queue.Plan(steps, List.of(), before)))
                .extracting(Violation::law)
                .contains(Law.AFTER);
        PlanStep evict = new PlanStep.Evict("job", at(job, 0, "n0", 0), Optional.empty(), CyclePass.STALE);
        assertThat(Verifier.create()
                        .check(
                                before,
                                io.gpusched.queue.CycleSettings.standard(),
                                1,
                                new io.gpusched.queue.Plan(List.of(evict), List.of(), before)))
                .extracting(Violation::law)
                .containsExactly(Law.STEP);
    }

    @Test
    void deviceGivenOutTwiceByTwoSteps_isOverBooked() {
        PodGroup one = group("one", 1);
        PodGroup two = group("two", 1);
        QueueState before = state(
                ONE,
                List.of(node("n0", 1)),
                TestJobs.builder(one, "q").build(),
                TestJobs.builder(two, "q").build());
        List<PlanStep> steps = List.of(
                new PlanStep.Bind("one", at(one, 0, "n0", 0), CyclePass.ALLOCATE),
                new PlanStep.Bind("two", at(two, 0, "n0", 0), CyclePass.ALLOCATE));
        assertThat(Verifier.create()
                        .check(
                                before,
                                io.gpusched.queue.CycleSettings.standard(),
                                1,
                                new io.gpusched.queue.Plan(steps, List.of(), before)))
                .extracting(Violation::law)
                .contains(Law.DEVICE);
    }
}
