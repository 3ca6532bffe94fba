package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Fact.Unknown.Kind;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Labels and levels of the topology say where nodes stand, for rules between pods and for groups. */
final class OneNotionOfPlaceTest {
    private static final LabelSelector WEB = LabelSelector.label("app", "web");

    private final GpuScheduler scheduler = GpuScheduler.create();

    /** Two racks of two nodes by topology, and across them zones by a label; no other labels. */
    private static final Cluster CLUSTER = Cluster.of(IntStream.range(0, 4)
            .mapToObj(i -> Node.builder("n" + i)
                    .mode(NodeMode.EXCLUSIVE)
                    .capacity(96_000, 786_432)
                    .gpus(4, GpuModel.of("nvidia", "A100", 81_920))
                    .topology(Topology.of("rack", "r" + i / 2))
                    .label("zone", "z" + i % 2)
                    .build())
            .toList());

    private static Pod web(String name, PodRules rules) {
        return Pod.of(name, Resources.of(1, 1), GpuRequest.exclusive(1))
                .withRules(rules.withLabels(Map.of("app", "web")));
    }

    private static PodRules apart(String key) {
        return PodRules.NONE.withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(WEB, key)));
    }

    private static PodRules near(String key) {
        return PodRules.NONE.withAffinity(PodAffinity.required(PodAffinity.Term.of(WEB, key)));
    }

    private static Cluster with(Cluster cluster, Decision decision) {
        return cluster.with(((Placed) decision).placement());
    }

    private static String rack(Cluster cluster, String pod) {
        Placement placement = cluster.placement(PodId.of(pod)).orElseThrow();
        return cluster.node(placement.node()).orElseThrow().node().topology().toString();
    }

    @Test
    void antiAffinityByALevel_keepsReplicasInDifferentRacks() {
        Cluster one = with(CLUSTER, scheduler.schedule(CLUSTER, web("a", apart("rack"))));
        Cluster two = with(one, scheduler.schedule(one, web("b", apart("rack"))));
        assertThat(rack(two, "a")).isNotEqualTo(rack(two, "b"));
        assertThat(scheduler.schedule(two, web("c", apart("rack"))))
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        no -> assertThat(no.diagnosis().reasons())
                                .singleElement()
                                .satisfies(reason -> assertThat(reason.code()).isEqualTo(Code.POD_ANTI_AFFINITY)));
    }

    @Test
    void spreadByALevel_isEven() {
        PodRules rules = PodRules.NONE.withSpread(TopologySpread.required("rack", 1, WEB));
        Cluster now = CLUSTER;
        for (String name : List.of("a", "b", "c", "d")) {
            now = with(now, scheduler.schedule(now, web(name, rules)));
        }
        Cluster all = now;
        assertThat(List.of("a", "b", "c", "d").stream()
                        .filter(name -> rack(all, name).equals("rack=r0")))
                .hasSize(2);
    }

    @Test
    void aLabelOfTheName_winsOverTheLevel() {
        Cluster labeled = CLUSTER.withReplaced(CLUSTER.node("n1").orElseThrow().node().toBuilder()
                .label("rack", "of-its-own")
                .build());
        Cluster one = labeled.with(scheduler
                .place(labeled.node("n0").orElseThrow(), web("a", apart("rack")))
                .orElseThrow());
        Cluster full = one.withCordoned("n2", true).withCordoned("n3", true);
        assertThat(scheduler.schedule(full, web("b", apart("rack"))))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.placement().node()).isEqualTo("n1"));
    }

    @Test
    void aKeyThatNoNodeHas_isAWarningOnAPlacement() {
        assertThat(scheduler.schedule(CLUSTER, web("a", apart("kubernetes.io/hostname"))))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.warnings())
                                .containsExactly(new Fact.Unknown(
                                        Kind.TOPOLOGY_KEY, "kubernetes.io/hostname", List.of("rack", "zone"))));
        assertThat(scheduler.schedule(CLUSTER, web("a", apart("rack"))))
                .isInstanceOfSatisfying(
                        Placed.class, placed -> assertThat(placed.warnings()).isEmpty());
        GroupDecision group =
                scheduler.schedule(CLUSTER, PodGroup.of("g", List.of(web("a", apart("rak")), web("b", apart("rak")))));
        assertThat(((GroupPlaced) group).warnings())
                .containsExactly(new Fact.Unknown(Kind.TOPOLOGY_KEY, "rak", List.of("rack", "zone")));
    }

    @Test
    void aKeyThatNoNodeHas_isToldInARefusal() {
        assertThat(scheduler.schedule(CLUSTER, web("a", near("rak"))))
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        no -> assertThat(no.diagnosis().reasons())
                                .singleElement()
                                .satisfies(reason -> {
                                    assertThat(reason.facts())
                                            .contains(new Fact.Unknown(
                                                    Kind.TOPOLOGY_KEY, "rak", List.of("rack", "zone")));
                                    assertThat(reason.detail())
                                            .isEqualTo(
                                                    "no pod that it must be near in the same rak; no node has the label or"
                                                            + " topology level \"rak\"; known here are rack, zone");
                                }));
    }

    @Test
    void aGroup_mayNameALabelAsItsLocality() {
        List<Pod> pods = IntStream.range(0, 6)
                .mapToObj(i -> Pod.of("p" + i, Resources.of(1, 1), GpuRequest.exclusive(1)))
                .toList();
        PodGroup group = PodGroup.of("job", pods).withLocality(Locality.within("zone"));
        List<Placement> placements = ((GroupPlaced) scheduler.schedule(CLUSTER, group)).placements();
        assertThat(placements).extracting(Placement::node).containsOnly("n0", "n2");
        Cluster running = CLUSTER.withAll(placements);
        Pod lost = Pod.of(placements.get(0)).orElseThrow();
        Cluster open = running.without(lost.id());
        assertThat(scheduler.schedule(open, lost))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.placement().node()).isIn("n0", "n2"));
        PodGroup more = PodGroup.of(
                        "job",
                        IntStream.range(6, 9)
                                .mapToObj(i -> Pod.of("p" + i, Resources.of(1, 1), GpuRequest.exclusive(1)))
                                .toList())
                .withLocality(Locality.within("zone"));
        assertThat(scheduler.schedule(running, more)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void aPreferredLocalityThatIsNotKept_isAWarning() {
        Pod first = Pod.of("a", Resources.of(1, 1), GpuRequest.exclusive(1));
        PodGroup group = PodGroup.of("job", List.of(first, first.withId(PodId.of("b"))))
                .withLocality(Locality.within("rack").preferred());
        Cluster running = CLUSTER.withAll(((GroupPlaced) scheduler.schedule(CLUSTER, group)).placements());
        Placement held = running.placement(PodId.of("a")).orElseThrow();
        Cluster closed = running.without(PodId.of("a")).withCordoned("n0", true).withCordoned("n1", true);
        assertThat(held.node()).isIn("n0", "n1");
        assertThat(scheduler.schedule(closed, Pod.of(held).orElseThrow()))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.warnings())
                                .containsExactly(new Fact.Elsewhere(held.group().orElseThrow(), 1)));
    }
}
