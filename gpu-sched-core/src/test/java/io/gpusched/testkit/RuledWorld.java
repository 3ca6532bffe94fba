package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Makes small clusters and pods in which every rule between pods occurs, and changes them; the seed decides all. */
public final class RuledWorld {
    /** The level of topology at which most nodes are in a domain. */
    public static final String LEVEL = "row";

    private static final List<String> KEYS = List.of("zone", "rack", "kubernetes.io/hostname");

    private final Random random;
    private final List<String> keys;
    private final boolean hasAvoided;
    private int pods;

    public RuledWorld(long seed) {
        this(new Random(seed), KEYS, true);
    }

    private RuledWorld(Random random, List<String> keys, boolean hasAvoided) {
        this.random = random;
        this.keys = keys;
        this.hasAvoided = hasAvoided;
    }

    /** Returns a world in which all rules are over the values of one label, and which mostly has no taints that are only to be avoided. */
    public static RuledWorld overOneLabel(long seed) {
        Random random = new Random(seed);
        return new RuledWorld(random, List.of(KEYS.get(random.nextInt(KEYS.size()))), random.nextInt(3) == 0);
    }

    public boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** Returns one of a list, which is not empty. */
    public <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    public Cluster cluster(int most) {
        List<Node> nodes = new ArrayList<>();
        int size = 1 + random.nextInt(most);
        for (int i = 0; i < size; i++) {
            nodes.add(node("n" + i));
        }
        Cluster cluster = Cluster.of(nodes);
        return oneIn(2) ? cluster.withNamespace("b", Map.of("team", any(List.of("x", "y")))) : cluster;
    }

    public Node node(String name) {
        Node.Builder node = Node.builder(name)
                .capacity(1_000 * (2 + random.nextInt(4)), 10_000)
                .gpus(random.nextInt(3), GpuModel.of("nvidia", "A100", 100))
                .cordoned(oneIn(10));
        if (!oneIn(8)) {
            node.label("zone", any(List.of("z1", "z2")));
        }
        if (!oneIn(6)) {
            node.label("rack", any(List.of("r1", "r2", "r3")));
        }
        if (!oneIn(8)) {
            node.label("kubernetes.io/hostname", name);
        }
        if (!oneIn(6)) {
            node.topology(Topology.of(LEVEL, any(List.of("a", "b"))));
        }
        if (oneIn(5)) {
            Taint.Effect effect = oneIn(2) || !hasAvoided ? Taint.Effect.NO_SCHEDULE : Taint.Effect.PREFER_NO_SCHEDULE;
            node.taint(new Taint("team", "a", effect));
        }
        return node.build();
    }

    private Map<String, String> labels() {
        return oneIn(5) ? Map.of() : Map.of("app", any(List.of("web", "db")), "rank", any(List.of("1", "2")));
    }

    private LabelSelector selector() {
        return switch (random.nextInt(8)) {
            case 0 -> LabelSelector.ALL;
            case 1 -> LabelSelector.NOBODY;
            case 2 -> new LabelSelector(List.of(new Requirement("rank", Operator.NOT_IN, List.of("2"))));
            case 3 -> new LabelSelector(List.of(new Requirement("app", Operator.EXISTS, List.of())));
            default -> LabelSelector.label("app", any(List.of("web", "db")));
        };
    }

    private PodAffinity.Term term() {
        Optional<LabelSelector> namespaces = !oneIn(5)
                ? Optional.empty()
                : Optional.of(oneIn(2) ? LabelSelector.ALL : LabelSelector.label("team", "x"));
        Set<String> names = oneIn(6) ? Set.of("b") : Set.of();
        return new PodAffinity.Term(selector(), names, namespaces, any(keys));
    }

    /** Any weight; often one of those whose differences floating point cuts to one percent less than they are, as 29 of 100. */
    private int weight() {
        return oneIn(2) ? any(List.of(29, 57, 71, 100)) : 1 + random.nextInt(100);
    }

    private PodAffinity affinity() {
        List<PodAffinity.Term> required = new ArrayList<>();
        List<PodAffinity.Weighted> preferred = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            if (oneIn(3)) {
                preferred.add(new PodAffinity.Weighted(weight(), term()));
            } else {
                required.add(term());
            }
        }
        return new PodAffinity(required, preferred);
    }

    private TopologySpread spread() {
        return new TopologySpread(
                any(keys), 1 + random.nextInt(2), 1 + random.nextInt(3), !oneIn(3), selector(), !oneIn(4), oneIn(3));
    }

    /** Preferences between pods, up to three, and now and then a rule that must be met beside them. */
    private PodRules softRules() {
        List<PodAffinity.Weighted> near = new ArrayList<>();
        List<PodAffinity.Weighted> apart = new ArrayList<>();
        List<TopologySpread> spread = new ArrayList<>();
        int kind = random.nextInt(4);
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (kind == 3 ? random.nextInt(3) : kind) {
                case 0 -> near.add(new PodAffinity.Weighted(weight(), term()));
                case 1 -> apart.add(new PodAffinity.Weighted(weight(), term()));
                default -> spread.add(preferred(spread()));
            }
        }
        return PodRules.NONE
                .withLabels(labels())
                .withAffinity(new PodAffinity(oneIn(8) ? List.of(term()) : List.of(), near))
                .withAntiAffinity(new PodAffinity(oneIn(8) ? List.of(term()) : List.of(), apart))
                .withSpread(spread.toArray(TopologySpread[]::new));
    }

    private static TopologySpread preferred(TopologySpread spread) {
        return new TopologySpread(
                spread.topologyKey(),
                spread.maxSkew(),
                1,
                false,
                spread.pods(),
                spread.honorsNodeSelector(),
                spread.honorsTaints());
    }

    private HostPort port() {
        return new HostPort(80 + random.nextInt(2), HostPort.Protocol.TCP, any(List.of("", "10.0.0.1", "10.0.0.2")));
    }

    public PodRules rules() {
        PodRules rules = PodRules.NONE.withLabels(labels()).withTerminating(oneIn(12));
        if (oneIn(3)) {
            rules = rules.withAffinity(affinity());
        }
        if (oneIn(3)) {
            rules = rules.withAntiAffinity(affinity());
        }
        if (oneIn(3)) {
            rules = oneIn(3) ? rules.withSpread(spread(), spread()) : rules.withSpread(spread());
        }
        if (oneIn(4)) {
            rules = rules.withHostPorts(port());
        }
        if (oneIn(6)) {
            NodeSelector.Term term = new NodeSelector.Term(List.of(NodeRequirement.in("zone", "z1")));
            rules = rules.withPreferredNodes(new NodePreference(10, term));
        }
        return rules;
    }

    public Pod pod() {
        return pod(rules());
    }

    /** A pod of which little is required of places, and more preferred. */
    public Pod preferringPod() {
        return pod(softRules());
    }

    private Pod pod(PodRules rules) {
        Pod.Builder pod = Pod.builder((oneIn(4) ? "b/" : "") + "p" + pods++)
                .container("main", Resources.of(500L * random.nextInt(3), 0), gpu())
                .rules(rules);
        if (oneIn(5)) {
            pod.nodeSelector(NodeSelector.all(NodeRequirement.in("zone", any(List.of("z1", "z2")))));
        }
        if (oneIn(4)) {
            pod.toleration(oneIn(3) ? Toleration.everything() : Toleration.exists("team"));
        }
        return pod.build();
    }

    private GpuRequest gpu() {
        return oneIn(2) ? GpuRequest.none() : oneIn(2) ? GpuRequest.exclusive(1) : GpuRequest.percent(40);
    }

    /** One change: a pod goes, a node changes its labels or its cordon, comes or leaves, a namespace is relabelled. */
    public Cluster changed(Cluster cluster) {
        List<Placement> running = cluster.placements();
        NodeState node = cluster.node(random.nextInt(cluster.size()));
        return switch (random.nextInt(6)) {
            case 0, 1 ->
                running.isEmpty() ? cluster : cluster.without(any(running).pod());
            case 2 -> relabelled(cluster, node);
            case 3 -> cluster.withCordoned(node.name(), oneIn(2));
            case 4 ->
                cluster.withNamespace(
                        any(List.of("b", PodId.DEFAULT_NAMESPACE)), Map.of("team", any(List.of("x", "y"))));
            default ->
                node.isEmpty() && cluster.size() > 1
                        ? cluster.withoutNode(node.name())
                        : cluster.withNode(node("m" + pods++));
        };
    }

    private Cluster relabelled(Cluster cluster, NodeState node) {
        Node other = node(node.name());
        Node.Builder machine = Node.builder(node.name())
                .mode(node.node().mode())
                .capacity(node.capacity())
                .labels(other.labels())
                .cordoned(other.cordoned());
        other.taints().forEach(machine::taint);
        node.node().gpus().forEach(machine::gpu);
        return cluster.withReplaced(machine.build());
    }
}
