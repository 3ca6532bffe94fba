package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Drains and removals of random small clusters against trying all ways. */
class DrainProperties {
    private static final GpuScheduler SCHEDULER = GpuScheduler.create();

    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.herds(2, 4);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMinSize(4).ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<Pod>> plain() {
        return Pods.plain().list().ofMinSize(1).ofMaxSize(5);
    }

    private static Cluster filled(List<Node> nodes, List<Pod> pods) {
        Cluster cluster = Cluster.of(nodes);
        int at = 0;
        for (Pod pod : pods) {
            for (int i = 0; i < nodes.size(); i++) {
                NodeState node = cluster.node((at + i) % nodes.size());
                Optional<Placement> placement = SCHEDULER.place(node, pod.withId(PodId.of("p" + at)));
                if (placement.isPresent()) {
                    cluster = cluster.with(placement.get());
                    break;
                }
            }
            at++;
        }
        return cluster;
    }

    @Property(tries = 300)
    void afterADrain_everyPodRunsOnceAndTheNodesAreEmpty(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll long pick) {
        Cluster cluster = ClusterHistory.of(nodes, steps).cluster();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < cluster.size(); i++) {
            if ((pick >>> i & 1) != 0) {
                names.add(cluster.node(i).name());
            }
        }
        Drain drain = Drain.of(cluster, names, SCHEDULER);
        if (!drain.isPossible()) {
            assertThat(drain.after()).isSameAs(cluster);
            assertThat(drain.moves()).isEmpty();
            return;
        }
        drain.after().validate();
        assertThat(drain.nodes()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(drain.nodes())
                .allSatisfy(name -> assertThat(
                                drain.after().node(name).orElseThrow().isEmpty())
                        .isTrue());
        assertThat(pods(drain.after())).isEqualTo(pods(cluster));
        assertThat(rebuilt(drain.after())).isEqualTo(drain.after());
        assertThat(drain.moves())
                .allSatisfy(move -> assertThat(Pod.of(move))
                        .isEqualTo(cluster.placement(move.pod()).flatMap(Pod::of)));
    }

    /** Everything placed once more on empty nodes, so that nothing can be held twice. */
    private static Cluster rebuilt(Cluster cluster) {
        return Cluster.of(cluster.nodes().stream().map(NodeState::node).toList(), cluster.placements());
    }

    private static Set<PodId> pods(Cluster cluster) {
        Set<PodId> pods = new HashSet<>();
        cluster.placements().forEach(placement -> pods.add(placement.pod()));
        return pods;
    }

    @Property(tries = 300)
    void aNodeCanBeDrained_exactlyIfSomeWayToPlaceItsPodsExists(
            @ForAll("nodes") List<Node> nodes, @ForAll("plain") List<Pod> pods) {
        Cluster cluster = filled(nodes, pods);
        for (NodeState node : cluster.nodes()) {
            Drain drain = Drain.of(cluster, List.of(node.name()), SCHEDULER);
            assertThat(drain.isPossible()).as("drain of %s", node).isEqualTo(isEmptied(cluster, List.of(node.name())));
        }
    }

    private static boolean isEmptied(Cluster cluster, List<String> names) {
        Cluster empty = cluster;
        List<Pod> left = new ArrayList<>();
        for (String name : names) {
            empty = empty.withCordoned(name, true);
            for (Placement placement : cluster.node(name).orElseThrow().placements()) {
                empty = empty.without(placement);
                left.add(Pod.of(placement).orElseThrow());
            }
        }
        return left.isEmpty() || BruteForce.canStart(empty, PodGroup.of("left", left));
    }

    @Property(tries = 200)
    void aRemoval_losesNoPodAndCannotBeExtended(@ForAll("nodes") List<Node> nodes, @ForAll("plain") List<Pod> pods) {
        Cluster cluster = filled(nodes, pods);
        ScaleDown plan = ScaleDown.of(cluster);
        plan.after().validate();
        assertThat(plan.after().size()).isEqualTo(cluster.size() - plan.nodes().size());
        assertThat(pods(plan.after())).isEqualTo(pods(cluster));
        assertThat(rebuilt(plan.after())).isEqualTo(plan.after());
        assertThat(plan.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(plan).isEqualTo(ScaleDown.of(cluster));
        assertThat(isEmptied(cluster, plan.nodes())).isTrue();
        for (NodeState node : plan.after().nodes()) {
            List<String> more = new ArrayList<>(plan.nodes());
            more.add(node.name());
            assertThat(isEmptied(cluster, more))
                    .as("%s could go as well", node.name())
                    .isFalse();
        }
    }

    @Property(tries = 200)
    void whatKeepsOneMoreAway_isSaidOfTheFullCluster(
            @ForAll("nodes") List<Node> nodes, @ForAll("plain") List<Pod> pods) {
        Cluster cluster = filled(nodes, pods);
        Diagnosis diagnosis = Headroom.whyNoMore(cluster, pods.get(0));
        assertThat(diagnosis.nodes()).isEqualTo(cluster.size());
        assertThat(diagnosis.remedy().changes().isEmpty())
                .as("nothing helps %s", pods.get(0))
                .isEqualTo(contradictsItself(pods.get(0)));
        assertThat(diagnosis.toString()).doesNotContain("gpu-sched-headroom");
    }

    /** Whether a pod refuses so many of the models or GPUs among which it has to be that too few are left. */
    private static boolean contradictsItself(Pod pod) {
        return pod.containers().stream().map(Container::gpu).anyMatch(request -> {
            GpuSelector selector = request.selector();
            Set<String> models = new HashSet<>(selector.allowedModels());
            models.removeAll(selector.deniedModels());
            Set<String> uuids = new HashSet<>(selector.allowedUuids());
            uuids.removeAll(selector.deniedUuids());
            return !selector.allowedModels().isEmpty() && models.isEmpty()
                    || !selector.allowedUuids().isEmpty() && uuids.size() < Math.max(1, request.count());
        });
    }
}
