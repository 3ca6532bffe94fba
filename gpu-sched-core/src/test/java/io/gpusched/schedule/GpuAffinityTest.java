package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.analysis.PreferredGpus;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Wiring;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuAffinity.Choice;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GpuAffinityTest {
    private static final Link NV2 = Link.of(Path.NODE, 2);
    private static final Link FAR = Link.of(Path.SYS, 0);

    /** NVLinks between GPUs 0 and 3, and 1 and 2. */
    private static Node.Builder crossed(String name) {
        return Node.builder(name)
                .capacity(64_000, 64_000)
                .gpus(4, Nodes.BIG)
                .links(GpuLinks.of(
                        List.of(
                                List.of(Link.NONE, FAR, FAR, NV2),
                                List.of(FAR, Link.NONE, NV2, FAR),
                                List.of(FAR, NV2, Link.NONE, FAR),
                                List.of(NV2, FAR, FAR, Link.NONE)),
                        List.of()));
    }

    private static Pod pod(String name, int gpus, GpuAffinity affinity) {
        return Pod.of(
                name, Resources.of(1_000, 1_000), GpuRequest.exclusive(gpus, GpuSelector.ANY.withAffinity(affinity)));
    }

    @Test
    void exclusiveRequest_takesTheBestConnectedSet_lowestAmongEquals() {
        Cluster cluster = Cluster.of(List.of(crossed("a").build()));
        GpuScheduler scheduler = GpuScheduler.create();
        Decision first = scheduler.schedule(cluster, pod("p", 2, GpuAffinity.ANY));
        assertThat(first).isPlacedOn("a").usingGpus(0, 3);
        Cluster rest = cluster.with(((Placed) first).placement());
        assertThat(scheduler.schedule(rest, pod("q", 2, GpuAffinity.ANY))).usingGpus(1, 2);
        assertThat(scheduler.schedule(cluster, pod("p", 2, GpuAffinity.ANY.withChoice(Choice.LOWEST_INDEXES))))
                .usingGpus(0, 1);
        assertThat(scheduler.schedule(cluster, pod("p", 1, GpuAffinity.ANY))).usingGpus(0);
    }

    @Test
    void initContainer_thatAloneAsksForGpus_takesTheBestConnectedSet() {
        Cluster cluster = Cluster.of(List.of(crossed("a").build()));
        Pod pod = Pod.builder("p")
                .container(Container.init("load", Resources.of(1_000, 1_000), GpuRequest.exclusive(2)))
                .container("main", Resources.of(1_000, 1_000), GpuRequest.none())
                .build();

        for (PlacementPolicy policy : List.of(BinPack.of(), FirstFit.of(), Spread.of())) {
            assertThat(GpuScheduler.of(policy).schedule(cluster, pod))
                    .isPlacedOn("a")
                    .usingGpus(0, 3);
        }
    }

    @Test
    void requiredClique_passesByNodesWithoutOne_andIsRefusedWhereNoneIsLeft() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("a").capacity(64_000, 64_000).gpus(4, Nodes.BIG).build(),
                crossed("b").build()));
        Pod clique = pod("p", 2, GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
        assertThat(GpuScheduler.create().schedule(cluster, clique))
                .isPlacedOn("b")
                .usingGpus(0, 3);
        Pod three = pod("p", 3, GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
        assertThat(GpuScheduler.create().schedule(cluster, three)).isRefused();
    }

    @Test
    void preferredClique_isSoughtOnAllNodes_andDroppedWhereNoneIsLeft() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("a").capacity(64_000, 64_000).gpus(2, Nodes.BIG).build(),
                crossed("b").build()));
        GpuScheduler scheduler = GpuScheduler.create();
        assertThat(scheduler.schedule(cluster, pod("p", 2, GpuAffinity.ANY))).isPlacedOn("a");
        assertThat(scheduler.schedule(cluster, pod("p", 2, GpuAffinity.preferring(Bond.NVLINK_CLIQUE))))
                .isPlacedOn("b");
        assertThat(scheduler.schedule(cluster, pod("p", 3, GpuAffinity.preferring(Bond.NVLINK_CLIQUE))))
                .isPlacedOn("b")
                .usingGpus(0, 1, 2);
    }

    @Test
    void preferredBond_isWantedBesideTheRequiredOne_notInItsPlace() {
        Node.Builder machine = Node.builder("a")
                .capacity(64_000, 64_000)
                .links(crossed("a").build().links());
        for (int g = 0; g < 4; g++) {
            machine.gpu(Gpu.of(g, "gpu-" + g, Nodes.BIG).withNumaNode(g / 2));
        }
        Node node = machine.build();
        // NVLinks cross the NUMA nodes, so both together are not to be had
        GpuAffinity both = new GpuAffinity(Bond.NUMA_NODE, Bond.NVLINK_CLIQUE, Choice.BEST_SET);
        assertThat(GpuScheduler.create().schedule(Cluster.of(List.of(node)), pod("p", 2, both)))
                .usingGpus(0, 1);
        org.assertj.core.api.Assertions.assertThat(PreferredGpus.of(node, List.of(0, 1, 2, 3), List.of(), 2, both))
                .containsExactly(0, 1);
        GpuAffinity crossed = new GpuAffinity(Bond.NVLINK_CLIQUE, Bond.NUMA_NODE, Choice.BEST_SET);
        assertThat(GpuScheduler.create().schedule(Cluster.of(List.of(node)), pod("p", 2, crossed)))
                .usingGpus(0, 3);
    }

    @Test
    @Timeout(60)
    void sixtyFourLinkedGpus_takeNoMoreThanTheBudget() {
        Node node = Node.builder("n")
                .capacity(64_000, 64_000)
                .gpus(64, Nodes.BIG)
                .links(Wiring.random(new Random(1), 64))
                .build();
        Pod pod = pod("p", 8, GpuAffinity.ANY);
        Decision decision = GpuScheduler.create().schedule(Cluster.of(List.of(node)), pod);
        assertThat(decision).isPlacedOn("n");
        org.assertj.core.api.Assertions.assertThat(((Placed) decision).certainty())
                .isEqualTo(Certainty.FOUND);
    }

    @Test
    void preferredGpus_ofAGivenNode_keepTheIncludedOnes() {
        Node node = crossed("a").build();
        List<Integer> all = List.of(0, 1, 2, 3);
        org.assertj.core.api.Assertions.assertThat(PreferredGpus.of(node, all, List.of(1), 2, GpuAffinity.ANY))
                .containsExactly(1, 2);
        org.assertj.core.api.Assertions.assertThat(PreferredGpus.of(node, all, List.of(), 2, GpuAffinity.ANY))
                .containsExactly(0, 3);
        org.assertj.core.api.Assertions.assertThat(PreferredGpus.of(node, all, List.of(), 0, GpuAffinity.ANY))
                .isEmpty();
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> PreferredGpus.of(node, List.of(0), List.of(1), 1, GpuAffinity.ANY))
                .hasMessageContaining("included gpus [1] must be available, which are [0]");
    }

    @Property(tries = 400)
    void placedPod_hasItsBond_andNoSetOnItsNodeWithTheBondScoresHigher(@ForAll long seed, @ForAll Bond bond) {
        Random random = new Random(seed);
        List<PlacementPolicy> policies = List.of(BinPack.of(), FirstFit.of(), Spread.of());
        Cluster cluster = cluster(random);
        int count = 1 + random.nextInt(3);
        boolean preferred = random.nextBoolean();
        GpuAffinity affinity = preferred ? GpuAffinity.preferring(bond) : GpuAffinity.requiring(bond);
        Decision decision =
                GpuScheduler.of(policies.get(random.nextInt(3))).schedule(cluster, pod("p", count, affinity));
        boolean bonded = cluster.nodes().stream()
                .anyMatch(node -> !sets(node, count, bond).isEmpty());
        boolean any = cluster.nodes().stream().anyMatch(node -> node.idleGpus() >= count);
        org.assertj.core.api.Assertions.assertThat(decision.isPlaced()).isEqualTo(preferred ? any : bonded);
        if (decision instanceof Placed placed) {
            NodeState node = cluster.node(placed.placement().node()).orElseThrow();
            List<Integer> gpus = placed.placement().gpus();
            List<List<Integer>> sets = sets(node, count, bonded ? bond : Bond.NONE);
            org.assertj.core.api.Assertions.assertThat(sets).contains(gpus);
            if (!node.node().links().isNone()) {
                int best = sets.stream()
                        .mapToInt(set -> Wiring.score(node.node().links(), set))
                        .max()
                        .orElseThrow();
                org.assertj.core.api.Assertions.assertThat(
                                Wiring.score(node.node().links(), gpus))
                        .isEqualTo(best);
            }
        }
    }

    private static Cluster cluster(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int n = 0; n < 1 + random.nextInt(3); n++) {
            int gpus = 2 + random.nextInt(4);
            Node.Builder node = Node.builder("n" + n).capacity(64_000, 64_000);
            for (int g = 0; g < gpus; g++) {
                node.gpu(Gpu.of(g, "n" + n + "-" + g, Nodes.BIG).withNumaNode(g * 2 / gpus));
            }
            nodes.add(
                    random.nextInt(3) == 0
                            ? node.build()
                            : node.links(Wiring.random(random, gpus)).build());
        }
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.of(Spread.of());
        for (int p = random.nextInt(5); p > 0; p--) {
            Decision decision = scheduler.schedule(cluster, pod("held-" + p, 1, GpuAffinity.ANY));
            cluster = decision instanceof Placed placed ? cluster.with(placed.placement()) : cluster;
        }
        return cluster;
    }

    /** All sets of idle GPUs of a node that share a bond. */
    private static List<List<Integer>> sets(NodeState node, int count, Bond bond) {
        List<List<Integer>> sets = new ArrayList<>();
        for (int mask = 0; mask < 1 << node.gpuCount(); mask++) {
            List<Integer> set = new ArrayList<>();
            for (int g = 0; g < node.gpuCount(); g++) {
                if ((mask >> g & 1) != 0 && node.isIdle(g)) {
                    set.add(g);
                }
            }
            if (set.size() == count && Integer.bitCount(mask) == count && Wiring.holds(bond, node.node(), set)) {
                sets.add(set);
            }
        }
        return sets;
    }
}
