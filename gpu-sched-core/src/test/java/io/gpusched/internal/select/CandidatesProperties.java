package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is known of labels and taints, against the nodes' own; with more labels in use than can be followed. */
class CandidatesProperties {
    private static final int NODES = 80;
    private static final int LABELS = 90;

    @Property(tries = 40)
    void nodesAreThoseThatAdmitThePod_whateverChanged(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SelectionMemory memory = new SelectionMemory();
        int labels = random.nextBoolean() ? 5 : LABELS;
        Cluster cluster = cluster(random, labels);
        for (int step = 0; step < 100; step++) {
            cluster = changed(cluster, random, labels, step);
            Pod pod = pod(random, labels, step);
            PodDemand demand = new PodDemand(pod);
            Candidates candidates = memory.candidates(cluster, demand);
            if (candidates == null) {
                assertThat(pod.nodeSelector().terms()).isEmpty();
                assertThat(pod.tolerations()).isEmpty();
            } else {
                check(cluster, demand, candidates, random.nextInt(NODES));
            }
        }
    }

    private static void check(Cluster cluster, PodDemand demand, Candidates candidates, int most) {
        Set<String> withRoom = new HashSet<>();
        for (NodeState node : cluster.nodes()) {
            boolean admits = Admission.admits(demand, node);
            assertThat(candidates.admit(node)).as("%s by slot", node).isEqualTo(admits);
            if (admits && NodeFit.hasResources(demand, node) && Admission.of(demand, node)) {
                withRoom.add(node.name());
            }
        }
        List<NodeState> all = Objects.requireNonNull(candidates.nodes(1_000));
        assertThat(names(all)).isEqualTo(withRoom);
        all.forEach(node -> assertThat(node).isSameAs(cluster.node(node.name()).orElseThrow()));
        List<NodeState> few = candidates.nodes(most);
        if (all.size() > most) {
            assertThat(few).isNull();
        } else {
            assertThat(few).containsExactlyInAnyOrderElementsOf(all);
        }
        checkIndexes(cluster, demand, candidates, withRoom);
    }

    /** All nodes with room are found, in node order within each tree and in any part of it. */
    private static void checkIndexes(Cluster cluster, PodDemand demand, Candidates candidates, Set<String> withRoom) {
        NodeState from = cluster.node(cluster.size() / 3);
        NodeRange end = new NodeRange(NodeAccess.order(from), Long.MAX_VALUE);
        Set<String> found = new HashSet<>();
        for (NodeIndex index : candidates.indexes()) {
            List<NodeState> inOrder = visited(index, demand, NodeRange.EVERYWHERE);
            assertThat(inOrder).isSortedAccordingTo(Comparator.comparingLong(NodeAccess::order));
            assertThat(visited(index, demand, end))
                    .isEqualTo(inOrder.stream().filter(end::contains).toList());
            assertThat(visited(index, demand, NodeRange.EVERYWHERE.before(from)))
                    .isEqualTo(
                            inOrder.stream().filter(node -> !end.contains(node)).toList());
            inOrder.forEach(node -> {
                assertThat(node).isSameAs(cluster.node(node.name()).orElseThrow());
                assertThat(!index.isOfAdmitted() || Admission.admits(demand, node))
                        .isTrue();
                found.add(node.name());
            });
        }
        assertThat(found).containsAll(withRoom);
    }

    private static List<NodeState> visited(NodeIndex index, PodDemand demand, NodeRange range) {
        List<NodeState> visited = new ArrayList<>();
        index.first(CapacityQuery.of(demand.resources()), range, node -> !visited.add(node));
        return visited;
    }

    private static Set<String> names(List<NodeState> nodes) {
        Set<String> names = new HashSet<>();
        nodes.forEach(node -> names.add(node.name()));
        return names;
    }

    private static Cluster cluster(SplittableRandom random, int labels) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node("n%02d".formatted(i), random, labels));
        }
        return Cluster.of(nodes);
    }

    private static Node node(String name, SplittableRandom random, int labels) {
        Node.Builder builder =
                Node.builder(name).capacity(4_000, 4_000).gpus(1, Nodes.BIG).label("host", name);
        for (int i = 0; i < labels; i++) {
            int value = random.nextInt(5);
            if (value > 0) {
                builder.label("k" + i, value == 4 ? "x" : (value == 3 ? "0" : "") + value);
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            builder.taint(new Taint("t" + i, "v" + random.nextInt(3), effect(random)));
        }
        return builder.build();
    }

    private static Taint.Effect effect(SplittableRandom random) {
        return Taint.Effect.values()[random.nextInt(Taint.Effect.values().length)];
    }

    private static Optional<Taint.Effect> tolerated(SplittableRandom random) {
        return random.nextBoolean() ? Optional.empty() : Optional.of(effect(random));
    }

    private static Optional<String> value(SplittableRandom random) {
        return random.nextInt(3) == 0 ? Optional.empty() : Optional.of("v" + random.nextInt(3));
    }

    private static Cluster changed(Cluster cluster, SplittableRandom random, int labels, int step) {
        NodeState node = cluster.node(random.nextInt(cluster.size()));
        return switch (random.nextInt(6)) {
            case 0 -> cluster.withNode(node("x" + step, random, labels));
            case 1 -> node.podCount() == 0 ? cluster.withoutNode(node.name()) : cluster;
            case 2 -> node.podCount() == 0 ? cluster.withReplaced(node(node.name(), random, labels)) : cluster;
            case 3 -> cluster.withCordoned(node.name(), random.nextBoolean());
            case 4 ->
                GpuScheduler.create()
                        .place(
                                node,
                                new Pod(
                                        PodId.of("r" + step),
                                        containers(),
                                        NodeSelector.ANY,
                                        List.of(Toleration.everything())))
                        .map(cluster::with)
                        .orElse(cluster);
            default -> cluster;
        };
    }

    private static List<Container> containers() {
        return List.of(Container.of("main", Resources.of(1_500, 500), GpuRequest.none()));
    }

    private static Pod pod(SplittableRandom random, int labels, int step) {
        List<Term> terms = new ArrayList<>();
        for (int term = random.nextInt(3); term > 0; term--) {
            List<NodeRequirement> all = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                all.add(requirement("k" + random.nextInt(labels), random));
            }
            terms.add(new Term(all));
        }
        List<Toleration> tolerations = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            tolerations.add(
                    random.nextInt(4) == 0
                            ? Toleration.everything()
                            : new Toleration("t" + i, value(random), tolerated(random)));
        }
        return new Pod(PodId.of("p" + step), containers(), new NodeSelector(terms), tolerations);
    }

    private static NodeRequirement requirement(String key, SplittableRandom random) {
        return switch (random.nextInt(7)) {
            case 0 -> NodeRequirement.in("host", "n%02d".formatted(random.nextInt(NODES)));
            case 1 -> NodeRequirement.in(key, "1", "2", "03", "4", "5", "x");
            case 2 -> NodeRequirement.in(key, "1", "none");
            case 3 -> new NodeRequirement(key, Operator.NOT_IN, List.of("1", "none"));
            case 4 -> NodeRequirement.exists(key);
            case 5 -> new NodeRequirement(key, Operator.DOES_NOT_EXIST, List.of());
            default -> new NodeRequirement(key, random.nextBoolean() ? Operator.GT : Operator.LT, List.of("2"));
        };
    }
}
