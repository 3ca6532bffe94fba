package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.PaperWorld;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RandomFitProperties {
    private static Decision decide(Cluster cluster, long seed, Pod pod) {
        return GpuScheduler.of(RandomFit.of(seed)).schedule(cluster, pod);
    }

    private static String node(Cluster cluster, long seed, Pod pod) {
        return decide(cluster, seed, pod) instanceof Placed placed
                ? placed.placement().node()
                : "";
    }

    @Property(tries = 200)
    void pod_isPlacedWhereAnyPolicyCouldPlaceIt(@ForAll long seed) {
        PaperWorld world = new PaperWorld(seed);
        Pod pod = world.pod("new");
        boolean fits = GpuScheduler.of(BinPack.of()).schedule(world.cluster(), pod) instanceof Placed;
        assertThat(decide(world.cluster(), seed, pod) instanceof Placed).isEqualTo(fits);
    }

    @Property(tries = 100)
    void choice_isTheSameOnEveryRun(@ForAll long seed) {
        PaperWorld world = new PaperWorld(seed);
        Pod pod = world.pod("new");
        assertThat(node(world.cluster(), seed, pod)).isEqualTo(node(new PaperWorld(seed).cluster(), seed, pod));
    }

    @Property(tries = 100)
    void rareRoom_isFoundAlthoughNoDrawHitsIt(@ForAll long seed) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            nodes.add(PaperWorld.node("n%04d".formatted(i), 1_000, 1));
        }
        int only = Math.floorMod(seed, nodes.size());
        nodes.set(only, PaperWorld.node("n%04d".formatted(only), 8_000, 1));
        Pod pod = PaperWorld.share("p", 5_000, 300);
        assertThat(node(Cluster.of(nodes), seed, pod)).isEqualTo("n%04d".formatted(only));
    }

    @Example
    void nodes_areTakenAboutAsOften() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            nodes.add(PaperWorld.node("n" + i, 8_000, 1 + i % 4));
        }
        Cluster cluster = Cluster.of(nodes);
        Map<String, Integer> taken = new HashMap<>();
        GpuScheduler scheduler = GpuScheduler.of(RandomFit.of(1));
        for (int i = 0; i < 4_000; i++) {
            Pod pod = PaperWorld.share("p" + i, 1_000, 300);
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                taken.merge(placed.placement().node(), 1, Integer::sum);
            }
        }
        // 400 expected on each, standard deviation 19, however many GPUs it has.
        assertThat(taken).hasSize(10);
        assertThat(taken.values()).allMatch(hits -> hits > 300 && hits < 500);
    }

    @Example
    void gpusThatDiffer_areTakenAboutAsOften() {
        Cluster cluster = Cluster.of(List.of(PaperWorld.node("n", 64_000, 3)));
        for (int gpu = 0; gpu < 2; gpu++) {
            Pod pod = PaperWorld.share("running-" + gpu, 1, 100 + 100 * gpu);
            cluster = cluster.with(PaperWorld.chosen(cluster, Spread.of(), pod).placement());
        }
        Map<List<Integer>, Integer> taken = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            Pod pod = PaperWorld.share("p" + i, 1, 300);
            taken.merge(PaperWorld.chosen(cluster, RandomFit.of(1), pod).taken(), 1, Integer::sum);
        }
        // 1,000 expected on each, standard deviation 26.
        assertThat(taken).containsOnlyKeys(List.of(0), List.of(1), List.of(2));
        assertThat(taken.values()).allMatch(hits -> hits > 850 && hits < 1_150);
    }

    @Example
    void gpusThatAreAlike_areTakenFromTheLowestIndex() {
        Cluster cluster = Cluster.of(List.of(PaperWorld.node("n", 64_000, 8)));
        for (int i = 0; i < 50; i++) {
            assertThat(PaperWorld.chosen(cluster, RandomFit.of(i), PaperWorld.share("p" + i, 1, 300))
                            .taken())
                    .containsExactly(0);
        }
    }

    @Example
    void seedAndName_bothChangeTheChoice() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            nodes.add(PaperWorld.node("n" + i, 8_000, 1));
        }
        Cluster cluster = Cluster.of(nodes);
        Set<String> bySeed = new HashSet<>();
        Set<String> byName = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            bySeed.add(node(cluster, i, PaperWorld.share("p", 1, 300)));
            byName.add(node(cluster, 7, PaperWorld.share("p" + i, 1, 300)));
        }
        assertThat(bySeed).hasSizeGreaterThan(10);
        assertThat(byName).hasSizeGreaterThan(10);
    }

    @Property(tries = 100)
    void node_isChosenBeforeItsGpus(@ForAll long seed) {
        PaperWorld world = new PaperWorld(seed);
        Pod pod = world.pod("new");
        PlacementPolicy policy = RandomFit.of(seed);
        Map<String, long[]> ranges = new HashMap<>();
        for (PaperWorld.Way way : world.ways(pod)) {
            NodeState before = way.before();
            long score = policy.score(before, way.after(), pod);
            long[] range = ranges.computeIfAbsent(before.name(), unused -> new long[] {score, score});
            range[0] = Math.min(range[0], score);
            range[1] = Math.max(range[1], score);
        }
        List<long[]> sorted = new ArrayList<>(ranges.values());
        sorted.sort((one, other) -> Long.compare(one[0], other[0]));
        for (int i = 1; i < sorted.size(); i++) {
            assertThat(sorted.get(i)[0])
                    .as("all ways on one node score above all on another")
                    .isGreaterThan(sorted.get(i - 1)[1]);
        }
    }

    @Property(tries = 200)
    void withinADomain_theHighestScoreOfAllItsNodesIsTaken(@ForAll long seed) {
        List<Node> nodes = new ArrayList<>();
        PaperWorld world = new PaperWorld(seed);
        for (NodeState node : world.cluster().nodes()) {
            nodes.add(node.node().toBuilder().topology(Topology.of("rack", "r")).build());
        }
        Cluster cluster = Cluster.of(nodes);
        Pod pod = world.pod("new");
        GpuScheduler scheduler = GpuScheduler.of(RandomFit.of(seed));
        Placement best = null;
        long bestScore = 0;
        for (NodeState node : cluster.nodes()) {
            Placement place = scheduler.place(node, pod).orElse(null);
            long score = place == null ? 0 : RandomFit.of(seed).score(node, node.with(place), pod);
            if (place != null && (best == null || score > bestScore)) {
                best = place;
                bestScore = score;
            }
        }
        PodGroup group = PodGroup.of("group", List.of(pod)).withLocality(Locality.within("rack"));
        List<Placement> expected = best == null
                ? List.of()
                : List.of(best.withGroup(Optional.of(group.memberships().get(pod.id()))));
        GroupDecision decision = scheduler.schedule(cluster, group);
        assertThat(decision instanceof GroupPlaced placed ? placed.placements() : List.of())
                .isEqualTo(expected);
    }
}
