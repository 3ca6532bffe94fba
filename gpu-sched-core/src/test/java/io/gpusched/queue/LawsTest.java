package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each law alone, asked about statements that no pass would propose. */
class LawsTest {
    private static final long NOW = 1_000;
    private static final JobQueue Q = JobQueue.builder("q").build();

    /** A statement in the making. */
    private static final class Proposal {
        private Session before;
        private final List<Statement.Change> changes = new ArrayList<>();
        private Session after;

        Proposal(QueueState state) {
            before = Session.of(PlanInput.of(null, state, CycleSettings.standard(), NOW));
            after = before;
        }

        Proposal start(int job, Placement... placements) {
            return with(Statement.Kind.START, job, List.of(placements));
        }

        Proposal nominate(int job, Placement... placements) {
            return with(Statement.Kind.NOMINATE, job, List.of(placements));
        }

        Proposal evict(int job, Placement... placements) {
            return with(Statement.Kind.EVICT, job, List.of(placements));
        }

        /** What was proposed so far is taken. */
        Proposal taken() {
            before = after;
            changes.clear();
            return this;
        }

        private Proposal with(Statement.Kind kind, int job, List<Placement> placements) {
            Session next = switch (kind) {
                case START -> after.start(job, placements);
                case NOMINATE -> after.nominate(job, placements);
                default -> after.evict(job, placements);
            };
            after = Objects.requireNonNull(next, "there is room");
            changes.addAll(Statement.changes(kind, job, placements));
            return this;
        }

        @Nullable
        PendingReason judged(Law law, CyclePass pass, int job) {
            long[] atLeast = after.held(after.status(job).nominated());
            return law.broken(before, new Statement(pass, job, atLeast, after, changes, false, false));
        }

        Queues.Shares shares() {
            return before.shares();
        }
    }

    private static JobSpec.Builder job(String name, int pods, int gpus) {
        return JobSpec.builder(World.group(name, pods, gpus), "q");
    }

    private static Placement at(QueueState state, String pod, String node, Integer... gpus) {
        return state.jobs().stream()
                .flatMap(job -> job.group().pods().stream())
                .filter(each -> each.id().name().equals(pod))
                .map(each -> new Placement(
                                each.id(),
                                node,
                                each.resources(),
                                List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(gpus)))))
                        .withSpec(each.spec()))
                .findFirst()
                .orElseThrow();
    }

    private static Placement runs(QueueState state, String job, int member) {
        return World.job(state, job).running().get(member);
    }

    @Test
    void aQueueWithinItsLimit_mayStart_andOneBeyondItMayNot() {
        JobQueue limited = JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofGpus(2).withLimit(2_000))
                .build();
        QueueState state =
                new World(1, 4).queue(limited).pending("a", "q", 3, 1, 0).state();
        Proposal two = new Proposal(state).start(0, at(state, "a-0", "n0", 0), at(state, "a-1", "n0", 1));
        assertThat(two.judged(new LimitLaw(), CyclePass.ALLOCATE, 0)).isNull();
        assertThat(two.start(0, at(state, "a-2", "n0", 2)).judged(new LimitLaw(), CyclePass.ALLOCATE, 0))
                .isInstanceOf(PendingReason.OverLimit.class);
    }

    @Test
    void aboveALimitThatWasLowered_noPodTakesThePlaceOfOneThatLeaves_norMoves() {
        JobQueue lowered = JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofGpus(1).withLimit(1_000))
                .build();
        QueueState state = new World(2, 2)
                .queue(lowered)
                .running("one", "q", 1, 0, "n0")
                .running("two", "q", 1, 0, "n0")
                .pending("high", "q", 1, 1, 5)
                .state();
        Proposal moved = new Proposal(state).evict(0, runs(state, "one", 0)).nominate(0, at(state, "one-0", "n1", 0));
        assertThat(moved.judged(new LimitLaw(), CyclePass.CONSOLIDATE, 0))
                .as("the next plan would not let it start again")
                .isInstanceOf(PendingReason.OverLimit.class);
        Proposal replaced =
                new Proposal(state).evict(0, runs(state, "one", 0)).nominate(2, at(state, "high-0", "n1", 0));
        assertThat(replaced.judged(new LimitLaw(), CyclePass.PREEMPT, 2)).isInstanceOf(PendingReason.OverLimit.class);
    }

    @Test
    void membersThatMakeUpAMinimumAgain_leaveTogether_evenWhereEachMemberMayLeaveAlone() {
        QueueState state = new World(1, 4)
                .queue(Q)
                .pending(JobSpec.builder(
                                PodGroup.of("gang", World.group("gang", 3, 1).pods()), "q")
                        .eviction(Eviction.SINGLE))
                .state();
        Placement first = at(state, "gang-0", "n0", 0);
        Placement second = at(state, "gang-1", "n0", 1);
        Placement third = at(state, "gang-2", "n0", 2);
        QueueState lacking = QueueState.of(
                state.cluster().with(first),
                state.queues(),
                List.of(new Job(state.jobs().get(0).spec(), JobStatus.running(List.of(first), 0))));
        Proposal part = new Proposal(lacking).start(0, second, third).taken().evict(0, third);
        assertThat(part.judged(new MinimumLaw(), CyclePass.PREEMPT, 0)).isInstanceOf(PendingReason.Forbidden.class);
        Proposal both = new Proposal(lacking).start(0, second, third).taken().evict(0, second, third);
        assertThat(both.judged(new MinimumLaw(), CyclePass.PREEMPT, 0)).isNull();
    }

    @Test
    void membersOfAGroupInAGroupThatStarts_leaveTogether_whateverElseOfTheJobRuns() {
        PodGroup first = PodGroup.of("a", World.group("a", 1, 1).pods());
        PodGroup second = PodGroup.of("b", World.group("b", 2, 1).pods());
        PodGroup parts = new PodGroup("gang", 1, List.of(), Locality.ANYWHERE, List.of(first, second), 1);
        QueueState state = new World(1, 4)
                .queue(Q)
                .pending(JobSpec.builder(parts, "q").eviction(Eviction.SINGLE))
                .state();
        Placement runs = at(state, "a-0", "n0", 0);
        Placement one = at(state, "b-0", "n0", 1);
        Placement other = at(state, "b-1", "n0", 2);
        QueueState partly = QueueState.of(
                state.cluster().with(runs),
                state.queues(),
                List.of(new Job(state.jobs().get(0).spec(), JobStatus.running(List.of(runs), 0))));
        Proposal part = new Proposal(partly).start(0, one, other).taken().evict(0, other);
        assertThat(part.judged(new MinimumLaw(), CyclePass.PREEMPT, 0)).isInstanceOf(PendingReason.Forbidden.class);
        Proposal both = new Proposal(partly).start(0, one, other).taken().evict(0, one, other);
        assertThat(both.judged(new MinimumLaw(), CyclePass.PREEMPT, 0)).isNull();
    }

    @Test
    void whatTerminates_countsForTheLimitUntilItHasEnded() {
        JobQueue limited = JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofGpus(1).withLimit(1_000))
                .build();
        QueueState state = new World(1, 4)
                .queue(limited)
                .running("low", "q", 1, 0, "n0")
                .pending("high", "q", 1, 1, 5)
                .state();
        Placement high = at(state, "high-0", "n0", 1);
        Proposal nominated = new Proposal(state).evict(0, runs(state, "low", 0)).nominate(1, high);
        assertThat(nominated.judged(new LimitLaw(), CyclePass.PREEMPT, 1)).isNull();
        Proposal started = new Proposal(state).evict(0, runs(state, "low", 0)).start(1, high);
        assertThat(started.judged(new LimitLaw(), CyclePass.PREEMPT, 1)).isInstanceOf(PendingReason.OverLimit.class);
    }

    @Test
    void whatMayNeverBeEvicted_staysWithinWhatItsQueueDeserves() {
        QueueState state = new World(1, 4)
                .queue("q", 1)
                .pending(job("fixed", 2, 1).eviction(Eviction.NEVER))
                .pending(job("other", 2, 1))
                .state();
        Proposal fixed = new Proposal(state).start(0, at(state, "fixed-0", "n0", 0), at(state, "fixed-1", "n0", 1));
        assertThat(fixed.judged(new DeservedLaw(), CyclePass.ALLOCATE, 0))
                .isInstanceOf(PendingReason.OverDeserved.class);
        Proposal other = new Proposal(state).start(1, at(state, "other-0", "n0", 0), at(state, "other-1", "n0", 1));
        assertThat(other.judged(new DeservedLaw(), CyclePass.ALLOCATE, 1)).isNull();
    }

    @Test
    void aGroup_startsWithItsMinimum_andANominatedMemberDoesNotRun() {
        QueueState state =
                new World(2, 1).queue(Q).pending("gang", "q", 2, 1, 0).state();
        Placement first = at(state, "gang-0", "n0", 0);
        Placement second = at(state, "gang-1", "n1", 0);
        MinimumLaw law = new MinimumLaw();
        assertThat(new Proposal(state).start(0, first, second).judged(law, CyclePass.ALLOCATE, 0))
                .isNull();
        assertThat(new Proposal(state).start(0, first).judged(law, CyclePass.ALLOCATE, 0))
                .isInstanceOf(PendingReason.Forbidden.class);
        assertThat(new Proposal(state).nominate(0, second).start(0, first).judged(law, CyclePass.ALLOCATE, 0))
                .isInstanceOf(PendingReason.Forbidden.class);
    }

    @Test
    void aMinimum_leavesWhole_andOnlyASingleEvictionMayBreakIt() {
        for (Eviction eviction : Eviction.values()) {
            QueueState state = new World(2, 1)
                    .queue(Q)
                    .running(job("gang", 2, 1).eviction(eviction), "n0", "n1")
                    .state();
            Proposal part = new Proposal(state).evict(0, runs(state, "gang", 0));
            assertThat(part.judged(new MinimumLaw(), CyclePass.PREEMPT, 0) == null)
                    .as("%s, a part", eviction)
                    .isEqualTo(eviction == Eviction.SINGLE);
            Proposal whole = new Proposal(state).evict(0, runs(state, "gang", 0), runs(state, "gang", 1));
            assertThat(whole.judged(new MinimumLaw(), CyclePass.PREEMPT, 0) == null)
                    .as("%s, whole", eviction)
                    .isEqualTo(eviction != Eviction.NEVER && eviction != Eviction.EXTRAS);
        }
    }

    @Test
    void aJobThatStartsAsItWasTold_isNotDisturbed() {
        QueueState state = new World(1, 2)
                .queue(Q)
                .pending(job("told", 1, 1).promised(true))
                .state();
        Placement place = at(state, "told-0", "n0", 0);
        Proposal taken = new Proposal(new World(1, 2)
                .queue(Q)
                .pending(job("told", 1, 1).promised(true))
                .state());
        Session started = Objects.requireNonNull(taken.before.start(0, List.of(place)), "started");
        Session gone = Objects.requireNonNull(started.evict(0, List.of(place)), "gone");
        Statement evicts = new Statement(
                CyclePass.PREEMPT,
                0,
                new long[3],
                gone,
                Statement.changes(Statement.Kind.EVICT, 0, List.of(place)),
                false,
                false);
        assertThat(new ProtectionLaw().broken(started, evicts))
                .isEqualTo(new PendingReason.Forbidden(PendingReason.Rule.PROTECTION, "job \"told\""));
    }

    @Test
    void aMinimum_isLeftAlone_untilItHasRunAsLongAsItsQueueSays() {
        for (long least : List.of(NOW, NOW + 1)) {
            QueueState state = new World(1, 1)
                    .queue(JobQueue.builder("q").minRuntime(least).build())
                    .running("young", "q", 1, 0, "n0")
                    .state();
            Proposal evicts = new Proposal(state).evict(0, runs(state, "young", 0));
            assertThat(evicts.judged(new ProtectionLaw(), CyclePass.PREEMPT, 0) == null)
                    .isEqualTo(least == NOW);
        }
    }

    @Test
    void byReclaim_aQueueKeepsWhatItDeserves() {
        QueueState state = new World(1, 4)
                .queue("a", 2)
                .queue("b", 2)
                .running("one", "a", 2, 0, "n0")
                .running("two", "a", 1, 0, "n0")
                .pending("asks", "b", 1, 2, 0)
                .state();
        Placement asks = at(state, "asks-0", "n0", 2, 3);
        Proposal small = new Proposal(state).evict(1, runs(state, "two", 0)).nominate(2, asks);
        assertThat(small.judged(new ReclaimLaw(small.shares()), CyclePass.RECLAIM, 2))
                .isNull();
        Proposal large =
                new Proposal(state).evict(0, runs(state, "one", 0)).nominate(2, at(state, "asks-0", "n0", 0, 1));
        assertThat(large.judged(new ReclaimLaw(large.shares()), CyclePass.RECLAIM, 2))
                .isInstanceOf(PendingReason.Unfair.class);
        Proposal own = new Proposal(state).evict(1, runs(state, "two", 0));
        assertThat(own.judged(new ReclaimLaw(own.shares()), CyclePass.RECLAIM, 0))
                .as("of its own queue")
                .isInstanceOf(PendingReason.Unfair.class);
    }

    @Test
    void byPreemption_onlyLowerPrioritiesOfTheSameQueueLeave() {
        QueueState state = new World(1, 3)
                .queue("q", 3)
                .queue("r", 0)
                .running("low", "q", 1, 1, "n0")
                .running("equal", "q", 1, 5, "n0")
                .running("other", "r", 1, 0, "n0")
                .pending("high", "q", 1, 1, 5)
                .state();
        for (int victim = 0; victim < 3; victim++) {
            Placement leaves = state.jobs().get(victim).running().get(0);
            Proposal evicts = new Proposal(state).evict(victim, leaves).nominate(3, at(state, "high-0", "n0", victim));
            assertThat(evicts.judged(new PreemptLaw(evicts.shares()), CyclePass.PREEMPT, 3) == null)
                    .as("victim %s", leaves)
                    .isEqualTo(victim == 0);
        }
    }

    @Test
    void aStartThatIsReserved_isNotDelayed() {
        QueueState state = new World(1, 1)
                .queue(Q)
                .running(job("runs", 1, 1).maxDuration(NOW + 10), "n0")
                .pending(job("told", 1, 1).promised(true).maxDuration(5))
                .pending(job("short", 1, 1))
                .state();
        Plan told = SchedulingCycle.create().plan(state, NOW);
        QueueState next = World.without(told.after(), "runs");
        Session session = Session.of(PlanInput.of(null, next, CycleSettings.standard(), NOW));
        Places places = new Places(GpuScheduler.create());
        Request request = Objects.requireNonNull(session.next(0), "request");
        Reservation reserved = World.job(next, "told").reservation().orElseThrow();
        Timeline.Hold hold = new Timeline.Hold(request, reserved.start(), reserved.start() + 5, reserved.placements());
        Session timed = session.withTimeline(TimelineSweep.of(session, places, List.of(hold), any -> false));
        Placement other = at(next, "short-0", "n0", 0);
        Session after = Objects.requireNonNull(timed.start(1, List.of(other)), "started");
        Statement takes = new Statement(
                CyclePass.BACKFILL,
                1,
                new long[3],
                after,
                Statement.changes(Statement.Kind.START, 1, List.of(other)),
                false,
                false);
        assertThat(new ReservationLaw().broken(timed, takes)).isEqualTo(new PendingReason.Behind("told"));
    }

    @Test
    void membersOfAGroup_areAsCloseAsItDemands() {
        PodGroup pair = World.group("pair", 2, 1).withLocality(Locality.oneNode());
        QueueState state =
                new World(2, 2).queue(Q).pending(JobSpec.builder(pair, "q")).state();
        Placement first = at(state, "pair-0", "n0", 0);
        Proposal together = new Proposal(state).start(0, first, at(state, "pair-1", "n0", 1));
        assertThat(together.judged(new LocalityLaw(), CyclePass.ALLOCATE, 0)).isNull();
        Proposal apart = new Proposal(state).start(0, first, at(state, "pair-1", "n1", 0));
        assertThat(apart.judged(new LocalityLaw(), CyclePass.ALLOCATE, 0))
                .isEqualTo(new PendingReason.Forbidden(PendingReason.Rule.LOCALITY, "job \"pair\""));
    }

    @Test
    void aPodThatStarts_isAdmittedAsANewPodWouldBe() {
        Node node = World.node("n0", 1).build();
        QueueState state = new World(node).queue(Q).pending("a", "q", 1, 1, 0).state();
        AdmissionLaw law = new AdmissionLaw(new Places(GpuScheduler.create()));
        assertThat(new Proposal(state).start(0, at(state, "a-0", "n0", 0)).judged(law, CyclePass.ALLOCATE, 0))
                .isNull();
        Cluster cordoned = state.cluster().withCordoned("n0", true);
        assertThat(new Proposal(state.withCluster(cordoned))
                        .start(0, at(state, "a-0", "n0", 0))
                        .judged(law, CyclePass.ALLOCATE, 0))
                .isEqualTo(new PendingReason.Forbidden(PendingReason.Rule.ADMISSION, "node \"n0\""));
    }
}
