package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Reason.Code;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.PlainRules;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.testkit.Step;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whether a pod may be where a placement puts it: against all legal placements, and against the rules written down once more. */
class RefusalProperties {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);

    private final GpuScheduler scheduler = GpuScheduler.create();

    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(3);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<Pod> pods() {
        return Pods.pods();
    }

    @Property(tries = 600)
    void aPlacementIsRefusedExactlyUnlessItIsLegal(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("pods") Pod shape,
            @ForAll("pods") Pod other) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        ClusterHistory empty = ClusterHistory.of(nodes, List.of());
        Pod pod = history.named(shape);
        List<Placement> legal = Oracle.placements(history.model(), pod);
        List<Placement> asked = new ArrayList<>(legal);
        asked.addAll(Oracle.placements(empty.model(), pod));
        asked.addAll(Oracle.placements(empty.model(), other.withId(pod.id())));
        GpuScheduler one = GpuScheduler.create();
        for (Placement placement : asked) {
            Optional<Code> refusal = one.refusal(history.cluster(), pod, placement);
            assertThat(refusal.isEmpty())
                    .as(
                            "%s of %s: %s%n%s",
                            placement, pod, refusal, history.cluster().nodes())
                    .isEqualTo(legal.stream()
                            .anyMatch(way -> way.node().equals(placement.node()) && way.holdsLike(placement)));
        }
    }

    @Property(tries = 600)
    void aPlacementIsAppliedOnTrialExactlyWhereItCanBeApplied(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("pods") Pod shape) {
        Cluster cluster = ClusterHistory.of(nodes, steps).cluster();
        ClusterHistory empty = ClusterHistory.of(nodes, List.of());
        List<Placement> asked = Oracle.placements(empty.model(), shape);
        asked.add(new Placement(shape.id(), "none", shape.resources(), List.of()));
        for (Placement placement : asked) {
            Optional<Cluster> tried = cluster.tryWith(placement);
            assertThat(tried).isEqualTo(applied(cluster, placement));
            boolean isKnown = cluster.node(placement.node()).isPresent()
                    && cluster.placement(placement.pod()).isEmpty();
            assertThat(cluster.node(placement.node())
                            .filter(node -> node.hasRoomFor(placement))
                            .isPresent())
                    .isEqualTo(isKnown && tried.isPresent());
        }
    }

    private static Optional<Cluster> applied(Cluster cluster, Placement placement) {
        try {
            return Optional.of(cluster.with(placement));
        } catch (PlacementConflictException e) {
            return Optional.empty();
        }
    }

    @Property(tries = 1000)
    void rulesRefuseExactlyAsWrittenDownOnceMore(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = world.cluster(5);
        for (int i = 0; i < 8; i++) {
            Pod pod = world.pod();
            for (NodeState node : cluster.nodes()) {
                Optional<Placement> room = withoutRules(node, pod);
                if (room.isPresent()) {
                    assertThat(scheduler.refusal(cluster, pod, room.get()))
                            .as("%s on %s of %s", pod, node, cluster.nodes())
                            .isEqualTo(PlainRules.refusal(cluster, pod, node));
                }
            }
            Optional<Placement> running = withoutRules(world.any(cluster.nodes()), pod);
            cluster = running.isPresent()
                    ? cluster.with(running.get().withSpec(pod.spec()).withGroup(pod.group()))
                    : cluster;
        }
    }

    private static Optional<Placement> withoutRules(NodeState node, Pod pod) {
        Node open = node.node().withCordoned(false);
        return GpuScheduler.builder()
                .policy(FirstFit.of())
                .memory(0)
                .build()
                .place(Cluster.of(List.of(open), node.placements()).node(0), pod.withRules(PodRules.NONE));
    }

    @Example
    void aPodThatRunsIsAskedAsIfItDidNot() {
        Pod pod = Pod.of("a", Resources.of(1_000, 1_000), GpuRequest.exclusive(2))
                .withRules(PodRules.NONE.withHostPorts(HostPort.tcp(80)));
        Cluster cluster = Cluster.of(List.of(node("n1"), node("n2")));
        Placement placement = assertThat(scheduler.schedule(cluster, pod)).placement();
        Cluster running = cluster.with(placement);
        assertThat(scheduler.refusal(running, pod, placement)).isEmpty();
        assertThat(scheduler.refusal(running.withCordoned("n1", true), pod, placement))
                .contains(Code.CORDONED);
        assertThat(scheduler.refusal(running.withGpuHealth("n1", 1, false), pod, placement))
                .contains(Code.GPU_UNHEALTHY);
        Pod next = pod.withId(PodId.of("b"));
        Placement beside = placement.heldBy(next.id(), next.spec(), "n1");
        assertThat(scheduler.refusal(running, next, beside)).contains(Code.HOST_PORT);
        assertThat(scheduler.refusal(running, next.withRules(PodRules.NONE), beside))
                .contains(Code.IDLE_GPUS);
    }

    @Example
    void grantsThatAreNotWhatThePodAsksAreRefused() {
        Cluster cluster = Cluster.of(List.of(node("n1")));
        Pod pod = Pod.of("a", Resources.of(1_000, 1_000), GpuRequest.exclusive(2));
        Placement placement = assertThat(scheduler.schedule(cluster, pod)).placement();
        String name = pod.containers().get(0).name();
        GpuGrant one = new GpuGrant.Whole(List.of(0));
        Placement less = new Placement(pod.id(), "n1", pod.resources(), List.of(ContainerGrant.of(name, one)));
        assertThat(scheduler.refusal(cluster, pod, less)).contains(Code.GPU_LAYOUT);
        Placement none = new Placement(pod.id(), "n1", pod.resources(), List.of());
        assertThat(scheduler.refusal(cluster, pod, none)).contains(Code.GPU_LAYOUT);
        GpuGrant far = new GpuGrant.Whole(List.of(0, 9));
        Placement tooFar = new Placement(pod.id(), "n1", pod.resources(), List.of(ContainerGrant.of(name, far)));
        assertThat(scheduler.refusal(cluster, pod, tooFar)).contains(Code.TOO_FEW_GPUS);
        assertThat(scheduler.refusal(cluster, pod, placement.heldBy(pod.id(), pod.spec(), "n9")))
                .contains(Code.NODE_NAME);
        assertThatThrownBy(() -> scheduler.refusal(cluster, pod.withId(PodId.of("b")), placement))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got that of pod \"a\"");
    }

    private static Node node(String name) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(4, A100).build();
    }
}
