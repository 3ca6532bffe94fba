package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.analysis.Drain;
import io.gpusched.analysis.MoveLimits;
import io.gpusched.analysis.Repair;
import io.gpusched.analysis.ScaleDown;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Choice;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Fact.Unknown.Kind;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Cluster.NodeLoss;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.queue.Quota;
import io.gpusched.schedule.Decided;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.PendingPods;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What an embedder does with the library, a short program for each: an event loop, an autoscaler, a planner. Analyses that are bounded are in
 * {@code AnalysisBudgetTest}, JSON in the module of that name.
 */
class EmbedderTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);
    private static final Locality RACK = Locality.within("rack");
    private static final PodRules WEB = PodRules.NONE.withLabels(Map.of("app", "web"));

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node.Builder machine(String name) {
        return Node.builder(name).capacity(96_000, 786_432);
    }

    /** Racks of two nodes of four GPUs: n0 and n1 in r0, n2 and n3 in r1. */
    private static Cluster racks(int count) {
        return Cluster.of(IntStream.range(0, 2 * count)
                .mapToObj(i -> machine("n" + i)
                        .gpus(4, A100)
                        .topology(Topology.of("rack", "r" + i / 2))
                        .build())
                .toList());
    }

    private static Pod pod(String name, GpuRequest gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), gpus);
    }

    private static Pod pod(String name, int gpus) {
        return pod(name, GpuRequest.exclusive(gpus));
    }

    private static List<Pod> pods(String name, int count, int gpus) {
        return IntStream.range(0, count).mapToObj(i -> pod(name + i, gpus)).toList();
    }

    private static PodRules apart(String key) {
        return WEB.withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), key)));
    }

    private Cluster with(Cluster cluster, Pod pod) {
        return cluster.with(((Placed) scheduler.schedule(cluster, pod)).placement());
    }

    private Cluster with(Cluster cluster, PodGroup group) {
        return cluster.withAll(((GroupPlaced) scheduler.schedule(cluster, group)).placements());
    }

    private Diagnosis whyNot(Cluster cluster, Pod pod) {
        return ((Unschedulable) scheduler.schedule(cluster, pod)).diagnosis();
    }

    private static String nodeOf(Cluster cluster, String pod) {
        return cluster.placement(PodId.of(pod)).orElseThrow().node();
    }

    // 1. answers

    @Test
    void aRunningGroup_keepsItsRack_whenItIsDrainedShrunkRepairedOrGrown() {
        PodGroup job = PodGroup.of("job", pods("job-", 2, 3)).withLocality(RACK);
        Cluster cluster = with(racks(2), job);

        assertThat(cluster.placement(PodId.of("job-0")).orElseThrow().group())
                .contains(GroupMembership.of("job", RACK));
        assertThat(Drain.of(cluster, List.of("n0")).isPossible()).isFalse();
        assertThat(ScaleDown.of(cluster).nodes()).containsExactlyInAnyOrder("n2", "n3");
        NodeLoss loss = cluster.withNodeLost("n0");
        Pod lost = Pod.of(loss.lost().get(0)).orElseThrow();
        assertThat(whyNot(loss.after(), lost).reasons())
                .extracting(Reason::code)
                .contains(Code.GROUP_LOCALITY);
        Cluster grown = with(cluster, PodGroup.of("job", pods("more-", 2, 1)).withLocality(RACK));
        assertThat(List.of(nodeOf(grown, "more-0"), nodeOf(grown, "more-1"))).isSubsetOf("n0", "n1");
    }

    @Test
    void aPreferredLocality_thatWasNotKept_isToldOnTheGroupAndOnOneMember() {
        PodGroup job = PodGroup.of("job", pods("job-", 3, 4)).withLocality(RACK.preferred());
        GroupPlaced apart = (GroupPlaced) scheduler.schedule(racks(2), job);
        GroupMembership membership = GroupMembership.of("job", RACK.preferred());

        assertThat(apart.warnings()).containsExactly(new Fact.Elsewhere(membership, 2));
        assertThat(apart.warnings().get(0)).hasToString("group job, preferred in one rack, runs in 2");
        Cluster cluster = racks(2).withAll(apart.placements().subList(0, 2));
        Pod third = job.pods().get(2).withGroup(Optional.of(membership));
        assertThat(((Placed) scheduler.schedule(cluster, third)).warnings()).hasSize(1);
        PodGroup two = PodGroup.of("two", pods("two-", 2, 4)).withLocality(RACK.preferred());
        assertThat(((GroupPlaced) scheduler.schedule(racks(2), two)).warnings()).isEmpty();
        PodGroup typo = PodGroup.of("two", two.pods())
                .withLocality(Locality.within("rakc").preferred());
        assertThat(((GroupPlaced) scheduler.schedule(racks(2), typo)).warnings())
                .containsExactly(new Fact.Unknown(Kind.TOPOLOGY_LEVEL, "rakc", List.of("rack")));
    }

    @Test
    void aLevelIsAKeyOfRules_andALabelALocality_andAKeyThatNoNodeHasIsTold() {
        Cluster one = with(racks(2), pod("a", 1).withRules(apart("rack")));
        Cluster two = with(one, pod("b", 1).withRules(apart("rack")));
        assertThat(List.of(nodeOf(two, "a"), nodeOf(two, "b"))).containsExactlyInAnyOrder("n0", "n2");
        Cluster web = with(racks(1), pod("a", 1).withRules(WEB));
        Pod byName = pod("b", 1).withRules(apart(NodeRequirement.NAME));
        assertThat(((Placed) scheduler.schedule(web, byName)).warnings()).isEmpty();
        Cluster byNode = with(web, byName);
        assertThat(nodeOf(byNode, "b")).isNotEqualTo(nodeOf(byNode, "a"));
        assertThat(((Placed) scheduler.schedule(web, pod("b", 1).withRules(apart("kubernetes.io/hostname"))))
                        .warnings())
                .containsExactly(new Fact.Unknown(Kind.TOPOLOGY_KEY, "kubernetes.io/hostname", List.of("rack")));

        Cluster labelled = Cluster.of(List.of(
                machine("a1").gpus(4, A100).label("row", "a").build(),
                machine("b1").gpus(4, A100).label("row", "b").build()));
        PodGroup six = PodGroup.of("g", pods("m", 2, 3));
        assertThat(scheduler.schedule(labelled, six).isPlaced()).isTrue();
        assertThat(scheduler
                        .schedule(labelled, six.withLocality(Locality.within("row")))
                        .isPlaced())
                .isFalse();

        Placed placed = (Placed) scheduler.schedule(racks(1), pod("a", 1).withRules(apart("rakc")));
        assertThat(placed.warnings()).containsExactly(new Fact.Unknown(Kind.TOPOLOGY_KEY, "rakc", List.of("rack")));
    }

    @Test
    void membersThatWait_haveEachAReason_whetherTheyCanEverFit_andTheCertainty() {
        List<Pod> members = new ArrayList<>(pods("m", 3, 4));
        members.add(pod("huge", 8));
        GroupPlaced placed = (GroupPlaced)
                scheduler.schedule(racks(1), PodGroup.of("g", members).withMinMember(2));

        Unschedulable waits = placed.refusals().get(PodId.of("m2"));
        assertThat(waits.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(waits.couldFitLater()).isTrue();
        assertThat(waits.diagnosis().reasons()).extracting(Reason::code).containsExactly(Code.IDLE_GPUS);
        assertThat(placed.refusals().get(PodId.of("huge")).couldFitLater()).isFalse();
    }

    @Test
    void podsInTheWay_areData() {
        Cluster cluster = with(racks(1), pod("w", 1).withRules(apart("rack")));
        assertThat(whyNot(cluster, pod("p", 1).withRules(WEB)).reasons().get(0).facts())
                .containsExactly(new Fact.Apart("rack", true, List.of(PodId.of("w"))));
        assertThat(new Fact.Apart(NodeRequirement.NAME, true, List.of(PodId.of("w"))))
                .hasToString("running pods keep it away in the same node (w)");

        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        Cluster ports =
                with(with(racks(1), pod("p0", 1).withRules(port)), pod("p1", 1).withRules(port));
        assertThat(whyNot(ports, pod("p2", 1).withRules(port)).reasons().get(0).facts())
                .containsExactly(new Fact.TakenPort(HostPort.tcp(80), List.of(PodId.of("p0"), PodId.of("p1"))));
    }

    @Test
    void aTypo_isToldWithWhatIsKnown_andNoRemedyIsHardwareThatNobodyMakes() {
        Cluster cluster = Cluster.of(List.of(machine("n")
                .gpus(8, A100, MigGeometry.A100_40GB.geometry())
                .label("zone", "a")
                .topology(Topology.of("rack", "r"))
                .build()));
        assertKnown(cluster, pod("p", GpuRequest.exclusive(1, GpuSelector.models("A10O"))), Kind.GPU_MODEL, "A100");
        assertKnown(cluster, pod("p", GpuRequest.partition("9g.40gb", 2)), Kind.PARTITION_PROFILE, "7g.40gb");
        Pod zonee = pod("p", 1);
        zonee = new Pod(zonee.id(), zonee.containers(), NodeSelector.labels(Map.of("zonee", "a")), List.of());
        assertKnown(cluster, zonee, Kind.LABEL_KEY, "zone");
        PodGroup group = PodGroup.of("g", pods("m", 2, 1)).withLocality(Locality.within("rakc"));
        assertThat(((Unschedulable) scheduler.schedule(cluster, group))
                        .diagnosis()
                        .reasons()
                        .get(0)
                        .detail())
                .contains("known here are rack");
    }

    private void assertKnown(Cluster cluster, Pod pod, Kind kind, String known) {
        Diagnosis diagnosis = whyNot(cluster, pod);
        assertThat(diagnosis.reasons().get(0).facts())
                .filteredOn(Fact.Unknown.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(Fact.Unknown.class, fact -> {
                    assertThat(fact.kind()).isEqualTo(kind);
                    assertThat(fact.known()).contains(known);
                });
        assertThat(diagnosis.reasons().get(0).detail()).contains("known here are ");
        assertThat(diagnosis.remedy().changes()).noneMatch(Change.AddNodes.class::isInstance);
    }

    @Test
    void anAutoscaler_addsWhatARefusalAsksFor_withoutReadingASentence() {
        Cluster cluster = with(racks(1), pod("busy", 3));
        Pod pod = pod("p", GpuRequest.exclusive(4, GpuSelector.models("A100")));
        Cluster full = with(cluster, pod("busy-too", 4));
        Diagnosis why = whyNot(full, pod);
        assertThat(why.reasons().get(0).amount(Quantity.GPUS).orElseThrow().asked())
                .isEqualTo(4);

        Change.AddNodes add = why.remedy().nodes().get(0);
        Cluster scaled = full;
        for (int i = 0; i < add.count(); i++) {
            scaled = scaled.withNode(bought("new-" + i, add.each()));
        }

        assertThat(scheduler.schedule(scaled, pod).isPlaced()).isTrue();
    }

    private static Node bought(String name, NodeTemplate template) {
        int gpus = template.gpus().stream().mapToInt(GpuRequest::count).sum();
        return Node.builder(name)
                .capacity(template.resources())
                .mode(template.modes().iterator().next())
                .gpus(gpus, A100)
                .build();
    }

    @Test
    void aQuota_saysWhatHasNoBound() {
        assertThat(Quota.ofGpus(8)).hasToString("8000 deserved, no limit, weight 1");
        assertThat(Quota.NONE.withGpuLimit(16)).hasToString("as much as it asks for deserved, limit 16000, weight 1");
    }

    /** One exception for one mistake, whichever call it is made in. */
    @Test
    void anUnknownNode_isTheSameConflictEverywhere() {
        Cluster cluster = with(racks(1), pod("busy", 2));
        List<ThrowingCallable> calls = List.of(
                () -> cluster.requireNode("x"),
                () -> cluster.withCordoned("x", true),
                () -> scheduler.whyNot(cluster, "x", pod("p", 3)),
                () -> Drain.of(cluster, List.of("x")),
                () -> Repair.plan(cluster, "x", MoveLimits.NONE),
                () -> ScaleDown.of(cluster, List.of("x"), scheduler));

        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(PlacementConflictException.class)
                        .isThrownBy(call)
                        .withMessage("there is no node \"x\" among the 2 nodes")
                        .satisfies(conflict -> assertThat(conflict.node()).contains("x")));
    }

    @Test
    void whyNotHere_andWhyHere() {
        Cluster cluster = with(racks(1), pod("busy", 2));

        Diagnosis not = scheduler.whyNot(cluster, "n0", pod("p", 3)).orElseThrow();
        assertThat(not.remedy().changes()).containsExactly(new Change.FreeIdleGpus("n0", 1, 2, List.of()));
        Choice here = scheduler.whyHere(cluster, pod("p", 1), 2).orElseThrow();
        assertThat(here.candidates())
                .extracting(candidate -> candidate.placement().node())
                .containsExactly("n0", "n1");
        assertThat(here.decidedBy()).isEqualTo(Choice.Rule.SCORE);
    }

    @Test
    void aConflict_saysPodNodeAndField_andAReasonAllNodes() {
        Cluster cluster = with(racks(50), pod("p", 4));
        Placement other = new Placement(
                PodId.of("q"),
                "n0",
                Resources.NONE,
                List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(3)))));

        assertThatExceptionOfType(PlacementConflictException.class)
                .isThrownBy(() -> cluster.with(other))
                .satisfies(conflict -> {
                    assertThat(conflict.pod()).contains(PodId.of("q"));
                    assertThat(conflict.node()).contains("n0");
                    assertThat(conflict.field()).isEqualTo("gpus[3]");
                });
        assertThat(whyNot(cluster, pod("q", 5)).reasons().get(0).nodeNames()).hasSize(100);
    }

    // 2. what embedders wrote by hand

    @Test
    void aNodeIsLost_andItsPodsComeBack() {
        Cluster cluster = with(with(racks(1), pod("a", 2)), pod("b", 1));
        NodeLoss loss = cluster.withNodeLost("n0");

        Cluster now = loss.after();
        for (Placement lost : loss.lost()) {
            now = with(now, Pod.of(lost).orElseThrow());
        }

        assertThat(List.of(nodeOf(now, "a"), nodeOf(now, "b"))).containsOnly("n1");
    }

    @Test
    void aWholeNode_ofChosenGpus_tellsWhatItHolds() {
        Cluster cluster = Cluster.of(List.of(
                machine("t4").gpus(4, GpuModel.of("nvidia", "T4", 15_360)).build(),
                machine("a100").gpus(8, A100).resource("example.com/nic", 2).build()));
        Pod pod = pod("p", GpuRequest.wholeNode(GpuSelector.models("A100")));

        Placement placement = scheduler.schedule(cluster, pod).toPlacement().orElseThrow();

        Node node = cluster.node("a100").orElseThrow().node();
        assertThat(placement.node()).isEqualTo("a100");
        assertThat(placement.gpus()).hasSize(8);
        assertThat(placement.resourcesOn(node))
                .isEqualTo(Resources.of(96_000, 786_432).with("example.com/nic", 2));
        Placement some = scheduler.schedule(cluster, pod("q", 1)).toPlacement().orElseThrow();
        assertThat(some.resourcesOn(cluster.node(some.node()).orElseThrow().node()))
                .isEqualTo(Resources.of(1_000, 1_024));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> some.resourcesOn(node))
                .withMessage("pod \"q\": it is on node \"t4\", got \"a100\"");
    }

    @Test
    void eightGpusWithAGeometry_areOneCall_andGpusWithoutOneSayThatTheyCannotBeCut() {
        Cluster cluster = Cluster.of(List.of(
                machine("cut").gpus(8, A100, MigGeometry.A100_40GB.geometry()).build(),
                machine("plain").gpus(8, A100).build(),
                machine("t4").gpus(1, GpuModel.of("nvidia", "T4", 15_360)).build()));
        Pod pod = pod("p", GpuRequest.partition("7g.40gb", 8));

        Cluster full = with(cluster, pod);
        Pod another = pod("q", GpuRequest.partition("7g.40gb", 1));
        Fact fact = new Fact.CannotBeCut("7g.40gb", List.of("A100", "T4"), List.of("cut"), List.of("A100_40GB"));

        assertThat(nodeOf(full, "p")).isEqualTo("cut");
        assertThat(whyNot(full, another).reasons()).anySatisfy(reason -> {
            assertThat(reason.code()).isEqualTo(Code.GPU_TOO_SMALL);
            assertThat(reason.nodeNames()).containsExactly("plain", "t4");
            assertThat(reason.facts()).containsExactly(fact);
            assertThat(reason.detail())
                    .endsWith("GPUs of model A100 or T4 have no 7g.40gb, those of cut have."
                            + " Maybe say how they can be cut: geometry A100_40GB");
        });
        Cluster plain = cluster.withoutNode("cut").withoutNode("t4");
        assertThat(whyNot(plain, another).reasons().get(0).detail())
                .contains("GPUs of model A100 have no 7g.40gb. Maybe say how they can be cut: geometry A100_40GB");
    }

    @Test
    void anEventLoop_asksAgainOnlyForThoseWhomAChangeMayHelp_andAListenerCounts() {
        List<Decided> heard = new ArrayList<>();
        GpuScheduler told = GpuScheduler.builder().listener(heard::add).build();
        Cluster full = with(with(racks(1), pod("busy-0", 4)), pod("busy-1", 4));
        List<Pod> waiting = List.of(pod("large", 5), pod("small", 2));
        PendingPods pending = new PendingPods();

        assertThat(pending.mayPlace(full, waiting)).isEmpty();
        Cluster freed = full.without(PodId.of("busy-0"));
        pending.mayPlace(freed, waiting).forEach(pod -> told.schedule(freed, pod));

        assertThat(heard).containsExactly(new Decided("pod \"small\"", 1, true, Certainty.PROVEN, 0));
    }
}
