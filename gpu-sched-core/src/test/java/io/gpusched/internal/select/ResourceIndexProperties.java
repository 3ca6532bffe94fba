package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Which nodes are looked at for what is counted by name, against a look at every node; with more names than are followed. */
class ResourceIndexProperties {
    private static final int NODES = 120;
    private static final int FEW_NAMES = 3;
    private static final int MANY_NAMES = 40;

    @Property(tries = 30)
    void nodesAreAllThatHaveRoom_whateverChanged(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int names = random.nextBoolean() ? FEW_NAMES : MANY_NAMES;
        SelectionMemory memory = new SelectionMemory();
        Cluster cluster = cluster(random, names);
        List<Cluster> older = new ArrayList<>();
        int narrow = 0;
        for (int step = 0; step < 150; step++) {
            cluster = changed(cluster, random, names, step);
            if (random.nextInt(10) == 0) {
                older.add(cluster);
            }
            Cluster asked =
                    older.isEmpty() || random.nextInt(5) > 0 ? cluster : older.get(random.nextInt(older.size()));
            narrow += check(memory, asked, new PodDemand(pod("p" + step, random, names))) ? 1 : 0;
        }
        assertThat(narrow).as("pods for which few nodes had to be looked at").isPositive();
    }

    @Property(tries = 5)
    void podsThatAskForNothingByName_haveNothingToLookUp(@ForAll long seed) {
        Cluster cluster = cluster(new SplittableRandom(seed), FEW_NAMES);
        PodDemand plain = new PodDemand(Pod.of("p", Resources.of(1, 1), GpuRequest.none()));
        assertThat(new SelectionMemory().havingResources(cluster, plain)).isNull();
    }

    /** Returns whether the pod's nodes were few enough to be looked up. */
    private static boolean check(SelectionMemory memory, Cluster cluster, PodDemand demand) {
        Candidates candidates = memory.havingResources(cluster, demand);
        if (candidates == null) {
            return false;
        }
        Set<NodeState> expected = new HashSet<>();
        for (NodeState node : cluster.nodes()) {
            if (NodeFit.hasResources(demand, node) && Admission.of(demand, node)) {
                expected.add(node);
            }
        }
        List<NodeState> found = Objects.requireNonNull(candidates.nodes(NODES * 2));
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        Set<NodeState> inTrees = new HashSet<>();
        candidates
                .indexes()
                .forEach(index -> index.first(
                        CapacityQuery.of(demand.resources()), NodeRange.EVERYWHERE, node -> !inTrees.add(node)));
        assertThat(inTrees).as("nodes as they are now").containsAll(expected);
        return true;
    }

    private static String name(int at) {
        return "example.com/r" + at;
    }

    private static Cluster cluster(SplittableRandom random, int names) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node("n%03d".formatted(i), random, names));
        }
        return Cluster.of(nodes);
    }

    /** The first name is everywhere, others are rarer. */
    private static Node node(String nodeName, SplittableRandom random, int names) {
        Node.Builder builder = Node.builder(nodeName).capacity(8_000, 8_000).resource(name(0), 2);
        for (int i = 1; i < names; i++) {
            builder.resource(name(i), random.nextInt(8) == 0 ? 1 + random.nextInt(3) : 0);
        }
        return builder.build();
    }

    private static Cluster changed(Cluster cluster, SplittableRandom random, int names, int step) {
        NodeState node = cluster.node(random.nextInt(cluster.size()));
        boolean isEmpty = node.podCount() == 0;
        return switch (random.nextInt(8)) {
            case 0 -> cluster.withNode(node("x" + step, random, names));
            case 1 -> isEmpty ? cluster.withoutNode(node.name()) : cluster;
            case 2 -> isEmpty ? cluster.withReplaced(node(node.name(), random, names)) : cluster;
            case 3 -> isEmpty ? cluster : cluster.without(node.placements().get(0));
            default -> cluster.with(taking(node, random, "r" + step));
        };
    }

    /** Takes all that is free of some of the names, so that these run out. */
    private static Placement taking(NodeState node, SplittableRandom random, String pod) {
        Resources taken = Resources.NONE;
        for (String name : node.freeNamed().names()) {
            taken = random.nextBoolean() ? taken.with(name, node.free(name)) : taken;
        }
        return node.assign(PodId.of(pod), taken, List.of());
    }

    private static Pod pod(String podName, SplittableRandom random, int names) {
        Resources asked = Resources.of(100, 100).with(name(random.nextInt(names)), 1 + random.nextInt(2));
        return Pod.of(
                podName,
                random.nextInt(3) == 0 ? asked.with(name(random.nextInt(names)), 1) : asked,
                GpuRequest.none());
    }
}
