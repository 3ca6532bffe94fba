package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Taints to be avoided and preferred labels decide before the policy does, as kube-scheduler weighs them. */
class PreferenceProperties {
    private static final int NODES = 40;

    private final List<PlacementPolicy> policies = TestPolicies.all();

    @Property(tries = 50)
    void thePolicyChoosesAmongTheNodesThatScoreHighest(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementPolicy policy = policies.get(random.nextInt(policies.size()));
        GpuScheduler remembering = GpuScheduler.of(policy);
        boolean soft = random.nextInt(3) > 0;
        Cluster cluster = cluster(random, soft);
        for (int step = 0; step < 60; step++) {
            Pod pod = pod(random, "p" + step);
            Optional<Placement> expected = expected(policy, cluster, pod);
            Optional<Placement> found = placement(remembering.schedule(cluster, pod));
            assertThat(where(found)).isEqualTo(where(expected));
            assertThat(placement(GpuScheduler.builder()
                            .policy(policy)
                            .memory(0)
                            .build()
                            .schedule(cluster, pod)))
                    .isEqualTo(found);
            found.ifPresent(placement -> assertThat(Pod.of(placement)).contains(pod));
            cluster = found.isPresent() ? cluster.with(found.get()) : cluster;
            cluster = changed(cluster, random, soft, step);
        }
        cluster.validate();
    }

    private static Optional<Placement> placement(Decision decision) {
        return decision instanceof Placed placed ? Optional.of(placed.placement()) : Optional.empty();
    }

    /** The place alone, without what was asked. */
    private static Optional<String> where(Optional<Placement> placement) {
        return placement.map(place -> place.node() + " " + place.containers());
    }

    /** Scores all nodes with room one by one, and lets the policy choose for a pod that must go to one of the best. */
    private static Optional<Placement> expected(PlacementPolicy policy, Cluster cluster, Pod pod) {
        Pod plain = pod.withRules(PodRules.NONE);
        GpuScheduler anyRoom =
                GpuScheduler.builder().policy(FirstFit.of()).memory(0).build();
        List<NodeState> open = cluster.nodes().stream()
                .filter(node -> anyRoom.place(node, plain).isPresent())
                .toList();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        long mostTaints = greatest(open, node -> avoided(node, pod));
        long mostLiked = greatest(open, node -> liked(node, pod));
        ToLongFunction<NodeState> score =
                node -> 3 * (mostTaints == 0 ? 100 : 100 - 100 * avoided(node, pod) / mostTaints)
                        + 2 * (mostLiked == 0 ? 0 : 100 * liked(node, pod) / mostLiked);
        long best = greatest(open, score);
        String[] names = open.stream()
                .filter(node -> score.applyAsLong(node) == best)
                .map(NodeState::name)
                .toArray(String[]::new);
        Pod.Builder chosen = Pod.builder(pod.id().toString());
        pod.containers().forEach(chosen::container);
        pod.tolerations().forEach(chosen::toleration);
        chosen.toleration(Toleration.exists("soft0"))
                .toleration(Toleration.exists("soft1"))
                .toleration(Toleration.exists("soft2"))
                .nodeSelector(NodeSelector.all(NodeRequirement.in("host", names)));
        return placement(GpuScheduler.builder().policy(policy).memory(0).build().schedule(cluster, chosen.build()));
    }

    private static long greatest(List<NodeState> nodes, ToLongFunction<NodeState> number) {
        return nodes.stream().mapToLong(number).max().orElseThrow();
    }

    private static long avoided(NodeState node, Pod pod) {
        return node.node().taints().stream()
                .filter(taint -> taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE)
                .filter(taint -> pod.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
                .count();
    }

    private static long liked(NodeState node, Pod pod) {
        return pod.rules().preferredNodes().stream()
                .filter(preference -> preference.term().matches(node.node()))
                .mapToLong(NodePreference::weight)
                .sum();
    }

    private static Cluster cluster(SplittableRandom random, boolean soft) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node("n%03d".formatted(i), random, soft));
        }
        return Cluster.of(nodes);
    }

    private static Node node(String name, SplittableRandom random, boolean soft) {
        int own = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        Node.Builder node = Node.builder(name)
                .capacity(4_000 + own, 8_000)
                .gpus(1 + random.nextInt(3), random.nextInt(8) == 0 ? Nodes.SMALL : Nodes.BIG)
                .label("host", name)
                .label("zone", "z" + random.nextInt(3))
                .label("disk", random.nextBoolean() ? "ssd" : "hdd");
        for (int taint = 0; taint < 3 && soft; taint++) {
            if (random.nextInt(3) == 0) {
                node.taint(new Taint("soft" + taint, "", Taint.Effect.PREFER_NO_SCHEDULE));
            }
        }
        return random.nextInt(8) == 0
                ? node.taint(Taint.noSchedule("team", "a")).build()
                : node.build();
    }

    private static Cluster changed(Cluster cluster, SplittableRandom random, boolean soft, int step) {
        NodeState node = cluster.node(random.nextInt(cluster.size()));
        return switch (random.nextInt(8)) {
            case 0 -> cluster.withNode(node("x" + step, random, soft));
            case 1 -> cluster.withCordoned(node.name(), random.nextBoolean());
            case 2 -> node.isEmpty() ? cluster.withReplaced(node(node.name(), random, soft)) : cluster;
            case 3 ->
                node.isEmpty()
                        ? cluster
                        : cluster.without(node.placements().get(0).pod());
            default -> cluster;
        };
    }

    private static Pod pod(SplittableRandom random, String name) {
        GpuRequest request = switch (random.nextInt(4)) {
            case 0 -> GpuRequest.exclusive(1 + random.nextInt(2));
            case 1 -> GpuRequest.none();
            default -> GpuRequest.percent(10 * (1 + random.nextInt(6)));
        };
        Pod.Builder pod = Pod.builder(name).container("main", Resources.of(500, 500), request);
        List<NodePreference> preferences = new ArrayList<>();
        for (int i = random.nextInt(5) - 1; i > 0; i--) {
            preferences.add(new NodePreference(1 + random.nextInt(100), term(random)));
        }
        if (random.nextInt(4) == 0) {
            pod.nodeSelector(new NodeSelector(List.of(term(random))));
        }
        for (int taint = 0; taint < 3; taint++) {
            if (random.nextInt(4) == 0) {
                pod.toleration(Toleration.exists(random.nextInt(6) == 0 ? "team" : "soft" + taint));
            }
        }
        return pod.rules(PodRules.NONE.withPreferredNodes(preferences.toArray(NodePreference[]::new)))
                .build();
    }

    private static NodeSelector.Term term(SplittableRandom random) {
        return new NodeSelector.Term(List.of(
                random.nextInt(3) == 0
                        ? NodeRequirement.in("disk", "ssd")
                        : NodeRequirement.in("zone", "z" + random.nextInt(4))));
    }
}
