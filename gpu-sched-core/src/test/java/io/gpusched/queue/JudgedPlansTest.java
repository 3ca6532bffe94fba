package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worlds in which a cycle broke a law once. Each plan is judged by the checker, and planned again it is empty. */
class JudgedPlansTest {
    private static final CycleSettings STANDARD = CycleSettings.standard();

    private static Plan plan(CycleSettings settings, QueueState state, long now) {
        Plan plan = SchedulingCycle.of(settings, GpuScheduler.create()).plan(state, now);
        assertThat(Verifier.create().check(state, settings, now, plan))
                .as("steps %s", plan.steps())
                .isEmpty();
        Plan again = SchedulingCycle.of(settings, GpuScheduler.create()).plan(plan.after(), now);
        assertThat(again.steps()).isEmpty();
        return plan;
    }

    private static Plan plan(QueueState state, long now) {
        return plan(STANDARD, state, now);
    }

    private static Pod pod(String name, int gpus) {
        GpuRequest request = gpus == 0 ? GpuRequest.none() : GpuRequest.exclusive(gpus);
        return Pod.of(name, Resources.of(100, 100), request);
    }

    private static PodGroup group(String name, Pod... pods) {
        return PodGroup.of(name, List.of(pods));
    }

    private static Placement at(Pod pod, String node, Integer... gpus) {
        return new Placement(
                        pod.id(),
                        node,
                        pod.resources(),
                        List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(gpus)))))
                .withSpec(pod.spec());
    }

    private static Cluster nodes(int... gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < gpus.length; i++) {
            nodes.add(node("n" + i, gpus[i]));
        }
        return Cluster.of(nodes);
    }

    private static Node node(String name, int gpus) {
        return Node.builder(name)
                .capacity(10_000, 10_000)
                .gpus(gpus, World.A100)
                .build();
    }

    private static Job running(JobSpec.Builder spec, Placement... placements) {
        return new Job(spec.build(), JobStatus.running(List.of(placements), 0));
    }

    private static JobSpec.Builder job(PodGroup group) {
        return JobSpec.builder(group, "q");
    }

    private static QueueState state(Cluster cluster, Job... jobs) {
        return state(cluster, QueueTree.of(List.of(JobQueue.builder("q").build())), jobs);
    }

    private static QueueState state(Cluster cluster, QueueTree queues, Job... jobs) {
        Cluster held = cluster;
        for (Job job : jobs) {
            for (Placement placement : job.running()) {
                held = held.with(placement);
            }
            for (Placement placement : job.terminating()) {
                held = held.with(placement);
            }
        }
        return QueueState.of(held, queues, List.of(jobs));
    }

    @ParameterizedTest
    @EnumSource(Eviction.class)
    void aGroupThatMustBeTogether_isNotTakenApart_byMovesForItsOwnMembers(Eviction eviction) {
        Pod other = pod("other", 1);
        Pod fixed = pod("fixed", 1);
        PodGroup pair =
                group("pair", pod("p0", 2), pod("p1", 2)).withMinMember(1).withLocality(Locality.oneNode());
        QueueState state = state(
                nodes(3, 3),
                running(job(group("other", other)), at(other, "n1", 0)),
                running(job(group("fixed", fixed)).eviction(Eviction.NEVER), at(fixed, "n1", 1)),
                Job.pending(job(pair).eviction(eviction).build()));
        for (int time = 1; time < 4; time++) {
            state = World.ended(plan(state, time).after());
        }
        assertThat(World.job(state, "pair").running()).isNotEmpty();
    }

    @Test
    void aMemberBeyondTheMinimum_doesNotStart_whileOneOfTheMinimumIsOnlyNominated() {
        Pod low = pod("low", 2);
        Pod busy = pod("busy", 1);
        PodGroup gang = group("gang", pod("g0", 1), pod("g1", 1), pod("g2", 1)).withMinMember(2);
        QueueState state = state(
                nodes(2, 1),
                running(job(group("low", low)), at(low, "n0", 0, 1)),
                running(job(group("busy", busy)).eviction(Eviction.NEVER), at(busy, "n1", 0)),
                Job.pending(job(gang).priority(5).submitted(1).build()));
        QueueState nominated = plan(state, 1).after();
        assertThat(World.job(nominated, "gang").nominated()).hasSize(2);
        QueueState next = plan(World.without(nominated, "busy"), 2).after();
        assertThat(World.job(next, "gang").running()).isEmpty();
        assertThat(World.job(plan(World.ended(next), 3).after(), "gang").running())
                .hasSize(3);
    }

    @Test
    void aPodThatTakesAWholeNode_countsWithTheWholeNode() {
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("whole").created(0).build(),
                JobQueue.builder("parts")
                        .created(1)
                        .quota(QueueResource.GPU, Quota.ofDeserved(0))
                        .build()));
        Pod first = Pod.of("w0", Resources.of(100, 100), GpuRequest.wholeNode());
        Pod second = Pod.of("w1", Resources.of(100, 100), GpuRequest.wholeNode());
        PodGroup parts = group("parts", pod("p0", 1), pod("p1", 1), pod("p2", 1), pod("p3", 1));
        QueueState state = state(
                nodes(4, 4),
                queues,
                Job.pending(JobSpec.builder(group("whole", first, second).withMinMember(1), "whole")
                        .eviction(Eviction.SINGLE)
                        .build()),
                Job.pending(JobSpec.builder(parts, "parts").submitted(1).build()));
        Plan plan = plan(state, 5);
        assertThat(plan.evictions()).isEmpty();
        assertThat(World.job(plan.after(), "whole").running()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Backfill.class)
    void aPromisedStart_isKept_whileAnEvictedPodStillTerminates(Backfill backfill) {
        Pod low = pod("low", 1);
        QueueState state = state(
                nodes(1),
                running(job(group("low", low)).maxDuration(100), at(low, "n0", 0)),
                Job.pending(job(group("high", pod("high", 1)))
                        .priority(9)
                        .submitted(1)
                        .maxDuration(10)
                        .build()),
                Job.pending(job(group("promised", pod("p", 1)))
                        .priority(5)
                        .submitted(1)
                        .maxDuration(5)
                        .promised(true)
                        .build()));
        CycleSettings settings = STANDARD.withBackfill(backfill);
        for (int time = 1; time < 8; time++) {
            Plan plan = plan(settings, time == 5 ? World.ended(state) : state, time);
            if (plan.reason("promised").orElseThrow() instanceof PendingReason.Reserved reserved && time < 5) {
                assertThat(reserved.certainStart()).isEqualTo(StartCertainty.ESTIMATE);
            }
            state = plan.after();
        }
        assertThat(World.job(state, "high").running()).hasSize(1);
        assertThat(World.job(state, "promised").reservation().map(Reservation::start))
                .contains(15L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGang_neverStartsInPart_whenTheNodeOrTheGpuOfOneNominatedMemberIsLost(boolean isLost) {
        Pod low = pod("low", 1);
        QueueState state = state(
                nodes(1, 1),
                running(job(group("low", low)), at(low, "n0", 0)),
                Job.pending(job(group("gang", pod("g0", 1), pod("g1", 1)))
                        .priority(5)
                        .submitted(1)
                        .build()));
        QueueState nominated = plan(state, 1).after();
        assertThat(World.job(nominated, "gang").nominated()).hasSize(2);
        QueueState hit = isLost
                ? nominated.withNodeLost("n1")
                : nominated.withCluster(nominated.cluster().withGpuHealth("n1", 0, false));
        QueueState next = World.ended(plan(hit, 2).after());
        for (int time = 3; time < 80; time += 20) {
            next = plan(next, time).after();
            assertThat(World.job(next, "gang").running()).isEmpty();
        }
    }

    private static PodRules labelled(String app) {
        return PodRules.NONE.withLabels(Map.of("app", app));
    }

    private static PodRules apart(String app, String from) {
        return labelled(app)
                .withAntiAffinity(PodAffinity.required(
                        PodAffinity.Term.of(LabelSelector.label("app", from), NodeRequirement.NAME)));
    }

    @Test
    void replicasThatMustBeApart_startAsFarAsTheyAre() {
        PodGroup web = group(
                        "web",
                        pod("w0", 0).withRules(apart("web", "web")),
                        pod("w1", 0).withRules(apart("web", "web")))
                .withMinMember(1);
        assertThat(World.bound(plan(state(nodes(2), Job.pending(job(web).build())), 1)))
                .hasSize(1);
    }

    @Test
    void onePodThatMustBeApartFromAVictim_getsItsPlaceOnceTheVictimHasLeft() {
        Pod victim = pod("v", 1).withRules(labelled("x"));
        Pod high = pod("h", 1).withRules(apart("h", "x"));
        QueueState state = state(
                nodes(2),
                running(job(group("v", victim)), at(victim, "n0", 1)),
                Job.pending(job(group("high", high)).priority(5).build()));
        Plan plan = plan(state, 1);
        assertThat(World.evicted(plan)).containsExactly("v");
        assertThat(World.nominated(plan)).containsExactly("h");
    }

    @Test
    void aHostPort_isFreeOnlyOnceThePodThatHasItHasEnded() {
        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        Pod victim = pod("v", 1).withRules(port);
        Pod high = pod("h", 1).withRules(port);
        Placement held = at(victim, "n0", 1);
        Job waiting = Job.pending(job(group("high", high)).priority(5).build());
        Plan evicts = plan(state(nodes(2), running(job(group("v", victim)), held), waiting), 1);
        assertThat(World.evicted(evicts)).containsExactly("v");
        assertThat(World.bound(evicts)).isEmpty();
        Job ending = new Job(job(group("v", victim)).build(), JobStatus.PENDING.withTerminating(List.of(held)));
        QueueState state = state(nodes(2), ending, waiting);
        assertThat(World.bound(plan(state, 1))).isEmpty();
        assertThat(World.bound(plan(World.ended(plan(state, 1).after()), 2))).containsExactly("h");
    }

    @Test
    void whatIsNominated_doesNotStart_onANodeCordonedOrTaintedSince() {
        Pod before = pod("b", 1);
        QueueState state = state(
                nodes(1),
                running(job(group("before", before)), at(before, "n0", 0)),
                Job.pending(job(group("high", pod("h", 1))).priority(5).build()));
        QueueState nominated = World.ended(plan(state, 1).after());
        Node tainted =
                node("n0", 1).toBuilder().taint(Taint.noSchedule("k", "v")).build();
        for (Cluster since : List.of(
                nominated.cluster().withCordoned("n0", true),
                nominated.cluster().withReplaced(tainted))) {
            assertThat(World.bound(plan(nominated.withCluster(since), 2))).isEmpty();
        }
        assertThat(World.bound(plan(nominated, 2))).containsExactly("h");
    }

    @Test
    void whatIsReserved_isNotUsedYet_soThatAQueueKeepsWhatItDeserves() {
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("small")
                        .created(0)
                        .quota(QueueResource.GPU, Quota.ofGpus(2))
                        .build(),
                JobQueue.builder("large").created(1).build()));
        Pod small = pod("s", 1);
        Pod large = pod("l", 2);
        QueueState state = state(
                nodes(2, 2),
                queues,
                running(JobSpec.builder(group("small", small), "small").maxDuration(100), at(small, "n0", 0)),
                running(
                        JobSpec.builder(group("large", large), "large")
                                .maxDuration(50)
                                .eviction(Eviction.NEVER),
                        at(large, "n1", 0, 1)),
                Job.pending(JobSpec.builder(group("promised", pod("p", 2)), "small")
                        .submitted(1)
                        .maxDuration(20)
                        .promised(true)
                        .build()),
                Job.pending(JobSpec.builder(group("more", pod("m", 2)), "large")
                        .submitted(2)
                        .maxDuration(20)
                        .build()));
        for (Backfill backfill : Backfill.values()) {
            assertThat(plan(STANDARD.withBackfill(backfill), state, 5).evictions())
                    .isEmpty();
        }
    }

    @Test
    void jobsThatMove_stillCountForTheLimitOfTheirQueue() {
        QueueResource model = QueueResource.gpuModel(World.A100.name());
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("q")
                        .quota(model, Quota.ofDeserved(1000).withLimit(2000))
                        .build(),
                JobQueue.builder("r").created(1).build()));
        Pod other = pod("other", 1);
        Pod fixed = pod("fixed", 1);
        QueueState state = state(
                nodes(2, 2),
                queues,
                running(job(group("other", other)), at(other, "n0", 1)),
                running(JobSpec.builder(group("fixed", fixed), "r").eviction(Eviction.NEVER), at(fixed, "n1", 0)),
                Job.pending(job(group("two", pod("t", 2))).build()));
        assertThat(plan(state, 1).steps()).isEmpty();
        QueueTree one = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(model, Quota.ofDeserved(1000).withLimit(1000))
                .build()));
        PodGroup elastic =
                group("elastic", pod("e0", 1), pod("e1", 1), pod("e2", 1)).withMinMember(1);
        QueueState alone = state(nodes(2, 2), one, Job.pending(job(elastic).build()));
        assertThat(World.bound(plan(alone, 1))).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Backfill.class)
    void aReservedStart_thatIsDueOnWhatIsGone_isDecidedAgain(Backfill backfill) {
        Map<String, UnaryOperator<Cluster>> changes = new LinkedHashMap<>();
        Node tainted =
                node("n0", 1).toBuilder().taint(Taint.noSchedule("k", "v")).build();
        Placement stranger = at(pod("stranger", 1), "n0", 0);
        changes.put("bad GPU", cluster -> cluster.withGpuHealth("n0", 0, false));
        changes.put("lost node", cluster -> cluster.withNodeLost("n0").after());
        changes.put("cordon", cluster -> cluster.withCordoned("n0", true));
        changes.put("taint", cluster -> cluster.withReplaced(tainted));
        changes.put("stranger", cluster -> cluster.with(stranger));
        CycleSettings settings = STANDARD.withBackfill(backfill);
        changes.forEach((name, change) -> {
            QueueState state = state(
                    nodes(1),
                    Job.pending(job(group("run", pod("r", 1)))
                            .eviction(Eviction.NEVER)
                            .maxDuration(5)
                            .build()),
                    Job.pending(job(group("next", pod("n", 1)))
                            .promised(true)
                            .submitted(1)
                            .maxDuration(5)
                            .build()));
            QueueState ended = World.without(plan(settings, state, 0).after(), "run");
            Plan plan = plan(settings, ended.withCluster(change.apply(ended.cluster())), 5);
            assertThat(World.bound(plan)).as(name).isEmpty();
            assertThat(World.bound(plan(settings, ended, 5))).as("no %s", name).containsExactly("n");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"PROMISED", "CONSERVATIVE"})
    void starts_areReservedWithinTheLimitOfTheirTime_notOfAllTimesTogether(Backfill backfill) {
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("q")
                        .quota(QueueResource.GPU, Quota.ofGpus(3).withLimit(3000))
                        .build(),
                JobQueue.builder("other").created(1).build()));
        Pod runs = pod("runs", 1);
        Pod first = pod("first", 1);
        Pod second = pod("second", 2);
        Pod x = pod("x", 3);
        Job reservedFirst = new Job(
                job(group("first", first))
                        .submitted(1)
                        .maxDuration(30)
                        .promised(true)
                        .build(),
                JobStatus.PENDING.withReservation(Optional.of(new Reservation(14, List.of(at(first, "n0", 1))))));
        Job reservedSecond = new Job(
                job(group("second", second))
                        .submitted(2)
                        .maxDuration(5)
                        .promised(true)
                        .build(),
                JobStatus.PENDING.withReservation(Optional.of(new Reservation(18, List.of(at(second, "n0", 2, 3))))));
        QueueState state = state(
                nodes(4),
                queues,
                new Job(
                        job(group("runs", runs))
                                .eviction(Eviction.NEVER)
                                .maxDuration(10)
                                .build(),
                        JobStatus.running(List.of(at(runs, "n0", 0)), 8)),
                new Job(
                        JobSpec.builder(group("x", x), "other")
                                .eviction(Eviction.NEVER)
                                .maxDuration(6)
                                .build(),
                        JobStatus.running(List.of(at(x, "n0", 1, 2, 3)), 8)),
                reservedFirst,
                reservedSecond);
        CycleSettings settings = STANDARD.withBackfill(backfill);
        QueueState told = plan(settings, state, 10).after();
        assertThat(World.job(told, "first").reservation().map(Reservation::start))
                .contains(14L);
        assertThat(World.job(told, "second").reservation().map(Reservation::start))
                .contains(18L);
        QueueState early = plan(settings, World.without(told, "x"), 12).after();
        assertThat(World.job(early, "first").running()).hasSize(1);
        assertThat(
                        World.job(early, "second").running().isEmpty()
                                ? World.job(early, "second")
                                        .reservation()
                                        .orElseThrow()
                                        .start()
                                : 12L)
                .isLessThanOrEqualTo(18L);
    }

    @Test
    void theMinimum_isWhicheverMembersFindRoom() {
        Pod big = pod("big", 2);
        Pod huge = pod("huge", 4);
        for (PodGroup group : List.of(group("job", big, huge), group("job", huge, big))) {
            QueueState state =
                    state(nodes(2), Job.pending(job(group.withMinMember(1)).build()));
            assertThat(World.bound(plan(state, 1))).containsExactly("big");
        }
    }

    @Test
    void theMinimum_isWhicheverMembersTheLimitAdmits() {
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder("q")
                .quota(QueueResource.GPU, Quota.ofGpus(2).withLimit(2000))
                .build()));
        PodGroup group = group("job", pod("huge", 4), pod("big", 2)).withMinMember(1);
        for (CycleSettings settings : List.of(STANDARD, STANDARD.withReservations(1))) {
            QueueState state = state(nodes(4), queues, Job.pending(job(group).build()));
            assertThat(World.bound(plan(settings, state, 1))).containsExactly("big");
        }
    }

    @Test
    void aGangThatLosesMembers_keepsThoseThatNeedNotLeave_asItsMinimum() {
        Pod first = pod("g0", 1);
        Pod second = pod("g1", 1);
        Pod third = pod("g2", 1);
        PodGroup gang = group("gang", first, second, third).withMinMember(2);
        QueueState state = state(
                Cluster.of(List.of(
                        node("n0", 2),
                        node("n1", 1).toBuilder().label("zone", "a").build())),
                running(job(gang), at(first, "n1", 0), at(second, "n0", 0), at(third, "n0", 1)),
                Job.pending(job(group(
                                "high",
                                Pod.builder("h")
                                        .container("main", Resources.of(100, 100), GpuRequest.exclusive(1))
                                        .nodeSelector(NodeSelector.labels(Map.of("zone", "a")))
                                        .build()))
                        .priority(5)
                        .build()));
        assertThat(World.evicted(plan(state, 100))).containsExactly("g0");
    }

    @Test
    void reclaim_leavesAQueueWhatItDeserves_evenIfAWholeGangWouldHaveToLeave() {
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("a")
                        .created(0)
                        .quota(QueueResource.GPU, Quota.ofGpus(2))
                        .build(),
                JobQueue.builder("b")
                        .created(1)
                        .quota(QueueResource.GPU, Quota.ofGpus(2))
                        .build()));
        Pod first = pod("g0", 2);
        Pod second = pod("g1", 1);
        QueueState state = state(
                nodes(4),
                queues,
                running(JobSpec.builder(group("gang", first, second), "a"), at(first, "n0", 0, 1), at(second, "n0", 2)),
                Job.pending(JobSpec.builder(group("two", pod("t", 2)), "b").build()));
        Plan strict = plan(state, 100);
        assertThat(strict.evictions()).isEmpty();
        Plan kai =
                SchedulingCycle.of(CycleSettings.kai(), GpuScheduler.create()).plan(state, 100);
        assertThat(World.evicted(kai)).containsExactly("g0", "g1");
    }

    private static Pod near(Pod pod, String app) {
        return pod.withRules(pod.rules()
                .withAffinity(PodAffinity.required(
                        PodAffinity.Term.of(LabelSelector.label("app", app), NodeRequirement.NAME))));
    }

    private static Pod labelled(Pod pod, String app) {
        return pod.withRules(pod.rules().withLabels(Map.of("app", app)));
    }

    @Test
    void startsThatAreDueTogether_startInTheOrderInWhichOneNeedsTheOther() {
        Pod near = near(pod("near", 1), "server");
        Pod server = labelled(pod("server", 1), "server");
        JobSpec first = job(group("first", near)).maxDuration(10).promised(true).build();
        JobSpec second =
                job(group("second", server)).maxDuration(10).promised(true).build();
        QueueState state = state(
                nodes(2),
                new Job(
                        first,
                        JobStatus.PENDING.withReservation(Optional.of(new Reservation(5, List.of(at(near, "n0", 0)))))),
                new Job(
                        second,
                        JobStatus.PENDING.withReservation(
                                Optional.of(new Reservation(5, List.of(at(server, "n0", 1)))))),
                Job.pending(job(group("urgent", pod("urgent", 1)))
                        .priority(9)
                        .submitted(4)
                        .build()));
        Plan plan = plan(state, 5);
        assertThat(plan.steps()).extracting(PlanStep::job).containsExactly("second", "first");
    }

    @Test
    void aPodThatAReservedStartMustBeNear_isNotPreempted() {
        Pod server = labelled(pod("server", 1), "server");
        Pod other = pod("other", 1);
        QueueState state = state(
                nodes(2),
                running(job(group("server", server)).maxDuration(100), at(server, "n0", 0)),
                running(job(group("other", other)).priority(9).maxDuration(10), at(other, "n0", 1)),
                Job.pending(job(group("near", near(pod("near", 1), "server")))
                        .priority(5)
                        .submitted(1)
                        .maxDuration(5)
                        .promised(true)
                        .build()));
        QueueState told = plan(state, 1).after();
        assertThat(World.job(told, "near").reservation().map(Reservation::start))
                .contains(10L);
        QueueState more = told.withJob(Job.pending(job(group("high", pod("high", 1)))
                .priority(8)
                .submitted(2)
                .maxDuration(8)
                .build()));
        Plan plan = plan(more, 2);
        assertThat(plan.evictions()).isEmpty();
        assertThat(World.job(plan.after(), "near").reservation().map(Reservation::start))
                .contains(10L);
    }

    /** Two groups of two, each of which starts whole; one is enough. */
    private static PodGroup halves(String name, int gpus) {
        List<PodGroup> parts = List.of(
                group(name + "-a", pod(name + "-a0", gpus), pod(name + "-a1", gpus)),
                group(name + "-b", pod(name + "-b0", gpus), pod(name + "-b1", gpus)));
        return new PodGroup(name, 2, List.of(), Locality.ANYWHERE, parts, 1);
    }

    @Test
    void aGroupInAGroup_startsWithItsMinimum_orNotAtAll() {
        Plan few = plan(state(nodes(3), Job.pending(job(halves("j", 1)).build())), 1);
        assertThat(World.job(few.after(), "j").running()).hasSize(2);
        Plan enough = plan(state(nodes(4), Job.pending(job(halves("j", 1)).build())), 1);
        assertThat(World.job(enough.after(), "j").running()).hasSize(4);
    }

    @Test
    void ofGroupsInAGroup_theOneThatFindsRoomStarts() {
        List<PodGroup> parts =
                List.of(group("large", pod("l0", 1), pod("l1", 1), pod("l2", 1)), group("small", pod("s0", 1)));
        PodGroup either = new PodGroup("either", 1, List.of(), Locality.ANYWHERE, parts, 1);
        Plan plan = plan(state(nodes(2), Job.pending(job(either).build())), 1);
        assertThat(World.bound(plan)).containsExactly("s0");
    }

    @ParameterizedTest
    @EnumSource(
            value = Eviction.class,
            names = {"GANG", "EXTRAS"})
    void aGroupInAGroup_leavesWhole_forAJobThatNeedsLess(Eviction eviction) {
        QueueState started = plan(
                        state(
                                nodes(4),
                                Job.pending(
                                        job(halves("low", 1)).eviction(eviction).build())),
                        1)
                .after();
        QueueState more = started.withJob(Job.pending(
                job(group("high", pod("high", 1))).priority(9).submitted(2).build()));
        Plan plan = plan(more, 2);
        assertThat(World.job(plan.after(), "low").running()).hasSize(2);
        assertThat(plan.evictions()).hasSize(2);
    }

    @Test
    void aPodThatIsHeldWhereItEvensAGroupOut_keepsItsPlace_whenOthersStart() {
        PodRules even = PodRules.NONE
                .withLabels(Map.of("app", "x"))
                .withSpread(TopologySpread.required(NodeRequirement.NAME, 1, LabelSelector.label("app", "x")));
        Pod held = pod("held", 1).withRules(even);
        Pod ending = pod("ending", 1);
        Job first = new Job(
                job(group("first", held)).priority(5).build(),
                JobStatus.PENDING.with(List.of(), List.of(), List.of(at(held, "n0", 0))));
        Job last = new Job(
                job(group("last", ending)).build(),
                JobStatus.PENDING.with(List.of(), List.of(at(ending, "n0", 0)), List.of()));
        Job other =
                Job.pending(job(group("other", labelled(pod("other", 1), "x"))).build());
        QueueState state = state(nodes(2, 1), first, last, other);
        Plan plan = plan(state, 1);
        assertThat(World.job(plan.after(), "first").nominated()).hasSize(1);
    }
}
