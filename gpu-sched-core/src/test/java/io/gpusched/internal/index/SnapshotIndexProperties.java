package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The index is as a fresh one would be, whatever snapshots it followed before. */
class SnapshotIndexProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(6);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Arbitraries.oneOf(Step.steps(Pods.pods()), Step.nodeSteps())
                .list()
                .ofMinSize(5)
                .ofMaxSize(40);
    }

    @Property(tries = 200)
    void followsSnapshots_inWhateverOrderTheyCome(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("nodes") List<Node> others,
            @ForAll("steps") List<Step> steps,
            @ForAll long seed) {
        List<Cluster> snapshots =
                new ArrayList<>(ClusterHistory.of(nodes, steps).past());
        snapshots.addAll(snapshots);
        snapshots.addAll(ClusterHistory.of(others, steps).past());
        Collections.shuffle(snapshots.subList(snapshots.size() / 3, snapshots.size()), new Random(seed));
        SnapshotIndex index = SnapshotIndex.create();
        Mirror mirror = new Mirror(index);
        for (Cluster snapshot : snapshots) {
            index.follow(snapshot);
            index.validate();
            mirror.check(snapshot);
            checkCounts(index, snapshot);
        }
    }

    private static void checkCounts(SnapshotIndex index, Cluster snapshot) {
        assertThat(index.size()).isEqualTo(snapshot.size());
        CandidateSet all = new CandidateSet(index, Resources.NONE, new NodeCondition[0], null);
        long idle = 0;
        for (NodeState node : snapshot.nodes()) {
            SlotRange range = SlotRange.of(index.slot(node.name()));
            boolean isOpen =
                    !node.isHeldWhole() && node.podCount() < node.node().maxPods();
            assertThat(all.idleGpus(range)).isEqualTo(isOpen ? node.idleGpus() : 0);
            idle += all.idleGpus(range);
        }
        assertThat(all.idleGpus(SlotRange.EVERYWHERE)).isEqualTo(idle);
    }

    /** What a listener knows. */
    private static final class Mirror implements NodeListener {
        private final SnapshotIndex index;
        private final Map<Integer, NodeState> bySlot = new HashMap<>();

        Mirror(SnapshotIndex index) {
            this.index = index;
            index.listen(this);
        }

        @Override
        public void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
            assertThat(bySlot.get(slot)).isEqualTo(before);
            if (after == null) {
                bySlot.remove(slot);
            } else {
                bySlot.put(slot, after);
            }
        }

        @Override
        public void rebuilt() {
            bySlot.clear();
            for (int slot = index.next(0); slot >= 0; slot = index.next(slot + 1)) {
                bySlot.put(slot, index.state(slot));
            }
        }

        void check(Cluster snapshot) {
            List<NodeState> inOrder = new ArrayList<>();
            for (int rank = 0; rank < snapshot.size(); rank++) {
                inOrder.add(bySlot.get(index.at(rank)));
            }
            assertThat(inOrder).isEqualTo(snapshot.nodes());
            assertThat(bySlot).hasSize(snapshot.size());
        }
    }

    @Property(tries = 20)
    void nodesThatJoinAtOnePlaceOrAnywhere_keepTheOrder(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int places = random.nextInt(1, 5);
        Cluster cluster = Cluster.of(List.of(node("m", random, places)));
        SnapshotIndex index = SnapshotIndex.create();
        Mirror mirror = new Mirror(index);
        for (int i = 0; i < 600; i++) {
            String name = "n%04d".formatted(random.nextBoolean() ? i : 9_999 - i);
            cluster = cluster.size() > 1 && random.nextInt(4) == 0
                    ? cluster.withoutNode(
                            cluster.node(random.nextInt(cluster.size())).name())
                    : cluster.withNode(node(name, random, places));
            if (random.nextInt(3) == 0) {
                continue;
            }
            index.follow(cluster);
            index.validate();
            if (i % 20 == 0) {
                mirror.check(cluster);
                checkDomains(index, cluster);
            }
        }
    }

    private static Node node(String name, SplittableRandom random, int places) {
        Topology topology = switch (random.nextInt(places)) {
            case 0 -> Topology.NONE;
            case 1 -> Topology.of("rack", "r" + random.nextInt(3));
            case 2 -> Topology.of("zone", "z" + random.nextInt(3));
            default -> Topology.of("zone", "z" + random.nextInt(3), "rack", "r" + random.nextInt(3));
        };
        return Node.builder(name).topology(topology).capacity(1_000, 1_000).build();
    }

    private static void checkDomains(SnapshotIndex index, Cluster cluster) {
        for (String level : List.of("zone", "rack", "room")) {
            List<Domain> domains = index.domains(level);
            assertThat(domains.stream().map(Domain::path).toList())
                    .isEqualTo(List.copyOf(cluster.domains(level).keySet()));
            for (Domain domain : domains) {
                int size = 0;
                for (NodeState node : cluster.nodes()) {
                    boolean isInside = node.node().topology().upTo(level).equals(domain.path());
                    assertThat(domain.range().contains(index.slot(node.name()))).isEqualTo(isInside);
                    size += isInside ? 1 : 0;
                }
                assertThat(domain.size()).isEqualTo(size);
            }
        }
    }

    @Example
    void anEmptyClusterMayComeAndGo() {
        SnapshotIndex index = SnapshotIndex.create();
        Cluster empty = Cluster.of(List.of());
        Cluster one = empty.withNode(Node.builder("n").build());
        for (Cluster cluster : List.of(empty, one, empty, one, one.withoutNode("n"))) {
            index.follow(cluster);
            index.validate();
        }
        assertThat(index.slot("n")).isEqualTo(-1);
    }
}
