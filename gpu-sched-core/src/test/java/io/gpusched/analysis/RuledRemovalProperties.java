package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Removals of nodes whose pods keep each other near, apart or spread: where one leaves, another may be let in. */
class RuledRemovalProperties {
    private static final GpuScheduler SCHEDULER =
            GpuScheduler.builder().policy(Spread.of()).memory(0).build();

    private static Node node(String name, String zone, int cpus) {
        return Node.builder(name)
                .capacity(1_000L * cpus, 100)
                .label("zone", zone)
                .label("host", name)
                .build();
    }

    private static Pod pod(String name, int cpus, PodRules rules) {
        return Pod.of(name, Resources.of(1_000L * cpus, 1), GpuRequest.none()).withRules(rules);
    }

    private static Cluster with(Cluster cluster, String node, Pod pod) {
        return cluster.with(
                new Placement(pod.id(), node, pod.resources(), List.of(ContainerGrant.of("main", GpuGrant.none())))
                        .withSpec(pod.spec()));
    }

    /** The large pod fits in zone z2 alone, where the small one keeps it away until that has gone to z3. */
    @Example
    void aNodeThatWasRefused_isTriedAgainOnceThePodHasLeftThatKeptItsOwnAway() {
        PodRules apart = PodRules.NONE
                .withLabels(Map.of("app", "db"))
                .withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "db"), "zone")));
        Cluster cluster =
                Cluster.of(List.of(node("n1", "z1", 9), node("n2", "z2", 9), node("n3", "z2", 8), node("n4", "z3", 2)));
        cluster = with(with(cluster, "n1", pod("large", 8, apart)), "n2", pod("small", 2, apart));

        ScaleDown plan = ScaleDown.of(cluster, List.of("n1", "n2"), SCHEDULER);

        assertThat(Drain.of(cluster, List.of("n1")).isPossible()).isFalse();
        assertThat(plan.nodes()).containsExactlyInAnyOrder("n1", "n2");
        assertThat(plan.moves()).extracting(Placement::node).containsExactly("n3", "n4");
    }

    /** The follower has no room in the zone of its leader; both have in another zone. */
    @Example
    void aNodeThatWasRefused_isTriedAgainOnceThePodHasLeftThatItsOwnMustBeNear() {
        PodRules leads = PodRules.NONE.withLabels(Map.of("app", "leader"));
        PodRules follows = PodRules.NONE.withAffinity(
                PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "leader"), "zone")));
        Cluster cluster = Cluster.of(List.of(node("n1", "z1", 3), node("n2", "z1", 2), node("n3", "z2", 9)));
        cluster = with(with(cluster, "n1", pod("follower", 3, follows)), "n2", pod("leader", 1, leads));

        ScaleDown plan = ScaleDown.of(cluster, List.of("n1", "n2"), SCHEDULER);

        assertThat(Drain.of(cluster, List.of("n1")).isPossible()).isFalse();
        assertThat(plan.nodes()).containsExactlyInAnyOrder("n1", "n2");
        assertThat(plan.moves().get(0).pod()).hasToString("leader");
    }

    private static Cluster cluster(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(4); i++) {
            nodes.add(node("n" + i, "z" + random.nextInt(3), 2 * (1 + random.nextInt(5))));
        }
        Cluster cluster = Cluster.of(nodes);
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            Pod pod = pod("p" + i, 1 + random.nextInt(4), rules(random));
            if (SCHEDULER.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
            }
        }
        return cluster;
    }

    private static PodRules rules(Random random) {
        LabelSelector others = LabelSelector.label("app", "a" + random.nextInt(2));
        String near = random.nextBoolean() ? "zone" : "host";
        PodRules labelled = PodRules.NONE.withLabels(Map.of("app", "a" + random.nextInt(2)));
        return switch (random.nextInt(6)) {
            case 0, 1 -> labelled.withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(others, near)));
            case 2 -> labelled.withAffinity(PodAffinity.required(PodAffinity.Term.of(others, near)));
            case 3 -> labelled.withHostPorts(HostPort.tcp(80));
            case 4 -> labelled.withSpread(TopologySpread.required(near, 1, others));
            default -> labelled;
        };
    }

    @Property(tries = 600)
    void aProvenRemoval_cannotBeExtended(@ForAll long seed) {
        Cluster cluster = cluster(new Random(seed));
        ScaleDown plan = ScaleDown.of(cluster);
        if (plan.certainty() == Certainty.PROVEN) {
            for (NodeState node : plan.after().nodes()) {
                List<String> more = new ArrayList<>(plan.nodes());
                more.add(node.name());
                assertThat(Drain.of(cluster, more).isPossible())
                        .as("%s of %s", more, cluster.placements())
                        .isFalse();
            }
        }
    }

    @Property(tries = 600)
    void theMovesOfARemoval_canBeMadeInTheirOrderOnceAllPodsAreReleased(@ForAll long seed) {
        Cluster cluster = cluster(new Random(seed));
        ScaleDown plan = ScaleDown.of(cluster);
        Cluster now = cluster;
        for (Placement move : plan.moves()) {
            now = now.without(move.pod());
        }
        for (String name : plan.nodes()) {
            now = now.withCordoned(name, true);
        }
        for (Placement move : plan.moves()) {
            Pod pod = Pod.of(move).orElseThrow();
            Pod there = pod.withRules(pod.rules().withNodeName(move.node()));
            Object decision = SCHEDULER.schedule(now, there);
            assertThat(decision)
                    .as(() -> move + ": " + ((Unschedulable) decision).diagnosis())
                    .isInstanceOf(Placed.class);
            now = now.with(move);
        }
        for (String name : plan.nodes()) {
            now = now.withoutNode(name);
        }
        assertThat(now).isEqualTo(plan.after());
    }
}
