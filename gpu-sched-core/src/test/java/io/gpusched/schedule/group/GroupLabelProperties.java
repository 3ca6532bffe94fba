package io.gpusched.schedule.group;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Topology;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A label of nodes as the locality of a group, against a level of the topology that divides the nodes in the same way. */
class GroupLabelProperties {
    private static final String RACK = "rack";

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(TestPolicies.all());
    }

    @Property(tries = 500)
    void aGroupStartsWithinALabelExactlyWhereItStartsWithinALevel(
            @ForAll long seed, @ForAll("policies") PlacementPolicy policy) {
        SmallWorld world = new SmallWorld(seed);
        Cluster byLevel = world.cluster(8);
        Cluster byLabel = labelled(byLevel);
        GpuScheduler scheduler = GpuScheduler.of(policy);
        for (int i = 0; i < 3; i++) {
            PodGroup group = world.group(5);
            GroupDecision expected = scheduler.schedule(byLevel, group);
            GroupDecision decision = scheduler.schedule(byLabel, group);
            assertThat(decision.isPlaced())
                    .as("%s on %s", group, byLevel.nodes())
                    .isEqualTo(expected.isPlaced());
            if (decision instanceof GroupPlaced placed) {
                byLabel.withAll(placed.placements());
                if (group.locality().required() && group.locality().scope() == Locality.Scope.DOMAIN) {
                    assertThat(racks(byLabel, placed.placements())).hasSize(1);
                }
            } else {
                assertThat(decision.certainty()).isEqualTo(Certainty.PROVEN);
                assertThat(((Unschedulable) decision).diagnosis().reasons()).isNotEmpty();
            }
        }
    }

    @Property(tries = 300)
    void theDomainsOfALabelAreItsValues_whateverChanges(@ForAll long seed) {
        Random random = new Random(seed);
        SnapshotIndex index = SnapshotIndex.create();
        Cluster cluster = Cluster.of(List.of());
        for (int step = 0; step < 60; step++) {
            String name = "n" + random.nextInt(150);
            Node node = node(name, random);
            if (cluster.node(name).isEmpty()) {
                cluster = cluster.withNode(node);
            } else {
                cluster = random.nextInt(4) == 0 ? cluster.withoutNode(name) : cluster.withReplaced(node);
            }
            if (random.nextInt(3) == 0) {
                index.follow(cluster);
                assertThat(domains(index)).isEqualTo(values(cluster));
            }
        }
    }

    /** Half of the nodes have a level, some the label alone, some both, some neither. */
    private static Node node(String name, Random random) {
        Node.Builder node = Node.builder(name).capacity(1_000, 1_000);
        if (random.nextBoolean()) {
            node.label(RACK, random.nextInt(8) == 0 ? "" : "v" + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            node.topology(Topology.of(random.nextBoolean() ? RACK : "row", "v" + random.nextInt(3)));
        }
        return node.build();
    }

    private static Map<String, List<String>> domains(SnapshotIndex index) {
        Map<String, List<String>> found = new TreeMap<>();
        for (Domain domain : index.domains(RACK)) {
            List<String> names =
                    index.nodes(domain.range()).stream().map(NodeState::name).toList();
            assertThat(index.size(domain.range())).isEqualTo(domain.size()).isEqualTo(names.size());
            assertThat(names).allMatch(name -> domain.range().contains(index.slot(name)));
            found.merge(domain.path().toString(), new ArrayList<>(names), (some, more) -> {
                some.addAll(more);
                some.sort(null);
                return some;
            });
        }
        found.values().forEach(names -> names.sort(null));
        return found;
    }

    private static Map<String, List<String>> values(Cluster cluster) {
        Map<String, List<String>> found = new TreeMap<>();
        for (NodeState state : cluster.nodes()) {
            String label = state.node().labels().getOrDefault(RACK, "");
            Topology path = state.node().topology().upTo(RACK);
            Topology domain = path.equals(Topology.NONE) && !label.isEmpty() ? Topology.of(RACK, label) : path;
            if (!domain.equals(Topology.NONE)) {
                found.computeIfAbsent(domain.toString(), any -> new ArrayList<>())
                        .add(state.name());
            }
        }
        found.values().forEach(names -> names.sort(null));
        return found;
    }

    /** The same nodes, in the order of their names, with labels in place of the topology. */
    private static Cluster labelled(Cluster cluster) {
        List<Node> nodes = new ArrayList<>();
        for (NodeState state : cluster.nodes()) {
            Node.Builder node = state.node().toBuilder().topology(Topology.NONE);
            state.node().topology().domains().forEach(domain -> node.label(domain.level(), domain.name()));
            nodes.add(node.build());
        }
        return Cluster.of(nodes, cluster.placements());
    }

    private static TreeSet<String> racks(Cluster cluster, List<Placement> placements) {
        TreeSet<String> racks = new TreeSet<>();
        placements.forEach(placement -> racks.add(
                cluster.node(placement.node()).orElseThrow().node().labels().getOrDefault(RACK, "none")));
        return racks;
    }
}
