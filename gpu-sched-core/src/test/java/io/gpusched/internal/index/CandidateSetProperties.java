package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
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
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is known of labels and taints, against the nodes' own; with more labels and taints in use than can be followed. */
class CandidateSetProperties {
    private static final int NODES = 80;
    private static final int LABELS = 90;

    @Property(tries = 40)
    void candidatesAreThoseThatAdmitThePod_whateverChanged(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SnapshotIndex index = SnapshotIndex.create();
        int labels = random.nextBoolean() ? 5 : LABELS;
        Cluster cluster = cluster(random, labels);
        for (int step = 0; step < 100; step++) {
            cluster = changed(cluster, random, labels, step);
            index.follow(cluster);
            PodDemand demand = new PodDemand(pod(random, labels, step));
            checkAny(index, List.of(demand, new PodDemand(pod(random, labels, step)), bigger(random)), random);
            int avoided = random.nextInt(2);
            check(index, random.nextBoolean() ? demand : demand.withAvoided(avoided), random);
        }
        index.validate();
    }

    private static void check(SnapshotIndex index, PodDemand demand, SplittableRandom random) {
        List<NodeState> expected = new ArrayList<>();
        for (NodeState node : index.cluster().nodes()) {
            if (FitRule.atAll(demand, node) == null && FitRule.ofState(demand, node) == null) {
                expected.add(node);
            }
        }
        CandidateSet candidates = index.candidates(demand);
        int middle = random.nextInt(index.capacity());
        List<NodeState> found = visited(candidates, Rooms.idle(0), Rooms.idle(64), new SlotRange(0, middle));
        found.addAll(
                visited(candidates, Rooms.idle(0), Rooms.idle(64), new SlotRange(middle, SlotRange.EVERYWHERE.to())));
        assertThat(found).isEqualTo(expected);
        for (int idle = 0; idle < 3; idle++) {
            int exactly = idle;
            assertThat(visited(candidates, Rooms.idle(idle), Rooms.idle(idle) + 1, SlotRange.EVERYWHERE))
                    .isEqualTo(expected.stream()
                            .filter(node -> node.idleGpus() == exactly)
                            .toList());
        }
        CandidateSet admitting = index.admitting(List.of(demand));
        long gpus = index.cluster().nodes().stream()
                .filter(node -> FitRule.ofMachine(demand, node.nodeClass()) == null)
                .filter(node -> demand.acceptsTaints(node.nodeClass().taints()))
                .filter(node -> !node.isCordoned()
                        || Taints.isCordonTolerated(demand.pod().tolerations()))
                .mapToLong(NodeState::idleGpus)
                .sum();
        assertThat(admitting.idleGpus(new SlotRange(0, middle))
                        + admitting.idleGpus(new SlotRange(middle, SlotRange.EVERYWHERE.to())))
                .isEqualTo(gpus);
    }

    /** Of pods that differ, some may be admitted by the hardware of a node and others by its taints or cordon. */
    private static void checkAny(SnapshotIndex index, List<PodDemand> demands, SplittableRandom random) {
        List<PodDemand> some = demands.subList(0, 1 + random.nextInt(demands.size()));
        long gpus = index.cluster().nodes().stream()
                .filter(node -> some.stream().anyMatch(one -> FitRule.ofMachine(one, node.nodeClass()) == null))
                .filter(node ->
                        some.stream().anyMatch(one -> one.tolerates(node.node().taints())))
                .filter(node -> !node.isCordoned()
                        || some.stream()
                                .anyMatch(one ->
                                        Taints.isCordonTolerated(one.pod().tolerations())))
                .mapToLong(NodeState::idleGpus)
                .sum();
        assertThat(index.admitting(some).idleGpus(SlotRange.EVERYWHERE)).isEqualTo(gpus);
    }

    /** A pod that the nodes' hardware never admits. */
    private static PodDemand bigger(SplittableRandom random) {
        return new PodDemand(Pod.of("bigger", Resources.NONE, GpuRequest.exclusive(2 + random.nextInt(3))));
    }

    private static List<NodeState> visited(CandidateSet candidates, int from, int to, SlotRange range) {
        List<NodeState> visited = new ArrayList<>();
        candidates.first(RoomSet.of(from, to), range, slot -> !visited.add(candidates.state(slot)));
        return visited;
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
                            ? new Toleration("", Optional.empty(), tolerated(random))
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
