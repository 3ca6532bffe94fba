package io.gpusched.schedule.rule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.TestPolicies;
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
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What a scheduler knows of labels, taints and free resources never changes an answer: clusters of some hundred nodes, many values. */
class SelectionProperties {
    private static final int NODES = 240;

    private final List<PlacementPolicy> policies = TestPolicies.all();

    @Property(tries = 60)
    void selectingByIndexDecidesAsLookingAtEveryNodeDoes(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementPolicy policy = policies.get(random.nextInt(policies.size()));
        GpuScheduler indexed = GpuScheduler.of(policy);
        List<Cluster> worlds = new ArrayList<>(List.of(cluster(random), cluster(random)));
        for (int step = 0; step < 120; step++) {
            int world = random.nextInt(worlds.size());
            Cluster cluster = worlds.get(world);
            Pod pod = pod(random, "p" + step);
            Decision expected =
                    GpuScheduler.builder().policy(policy).memory(0).build().schedule(cluster, pod);
            Decision decision = indexed.schedule(cluster, pod);
            if (expected instanceof Placed placed) {
                assertThat(assertThat(decision).placement()).isEqualTo(placed.placement());
                cluster = cluster.with(placed.placement());
            } else {
                assertThat(decision).isRefused();
            }
            worlds.set(world, random.nextInt(4) == 0 ? changed(cluster, random, step) : cluster);
            if (random.nextInt(20) == 0) {
                worlds.add(cluster);
            }
        }
        worlds.forEach(Cluster::validate);
    }

    private static Cluster cluster(SplittableRandom random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node("n%03d".formatted(i), random));
        }
        return Cluster.of(nodes);
    }

    /** Labels from one value for all nodes to one for each, taints likewise, and now and then hardware of its own. */
    private static Node node(String name, SplittableRandom random) {
        int own = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        Node.Builder builder = Node.builder(name)
                .capacity(8_000 + own, 8_000)
                .gpus(1 + random.nextInt(3), random.nextInt(8) == 0 ? Nodes.SMALL : Nodes.BIG)
                .resource("common", random.nextInt(3))
                .resource("rare", random.nextInt(12) == 0 ? 1 + random.nextInt(4) : 0)
                .label("host", name)
                .label("half", "v" + random.nextInt(2))
                .label("tenth", Integer.toString(random.nextInt(10)))
                .label("number", Integer.toString(random.nextInt(60) - 30));
        if (random.nextInt(3) == 0) {
            builder.label("some", "v" + random.nextInt(20));
        }
        if (random.nextInt(4) == 0) {
            builder.topology(Topology.of("rack", "r" + random.nextInt(5)));
        }
        if (random.nextInt(2) == 0) {
            builder.taint(Taint.noSchedule("team", "t" + random.nextInt(60)));
        }
        if (random.nextInt(10) == 0) {
            builder.taint(new Taint("soft", "", Taint.Effect.PREFER_NO_SCHEDULE));
            builder.taint(Taint.noSchedule("own", name));
        }
        return builder.build();
    }

    private static Cluster changed(Cluster cluster, SplittableRandom random, int step) {
        String name = cluster.node(random.nextInt(cluster.size())).name();
        boolean isEmpty = cluster.node(name).orElseThrow().podCount() == 0;
        return switch (random.nextInt(5)) {
            case 0 -> cluster.withNode(node("x" + step, random));
            case 1 -> grown(cluster, random, step);
            case 2 -> cluster.withCordoned(name, random.nextBoolean());
            case 3 -> isEmpty ? cluster.withoutNode(name) : cluster;
            default -> isEmpty ? cluster.withReplaced(node(name, random)) : cluster;
        };
    }

    /** A few nodes more, sometimes so many that what is known of the others is put in order again. */
    private static Cluster grown(Cluster cluster, SplittableRandom random, int step) {
        List<Node> more = new ArrayList<>();
        for (int i = random.nextInt(10) == 0 ? 80 : 3; i > 0; i--) {
            more.add(node("m%03d-%d".formatted(random.nextInt(NODES), 100 * step + i), random));
        }
        ClusterBatch batch = cluster.batch();
        more.forEach(batch::addNode);
        return batch.build();
    }

    private static Pod pod(SplittableRandom random, String name) {
        GpuRequest request = switch (random.nextInt(4)) {
            case 0 -> GpuRequest.exclusive(1 + random.nextInt(2));
            case 1 -> GpuRequest.none();
            default -> GpuRequest.percent(10 * (1 + random.nextInt(6)));
        };
        List<Term> terms = new ArrayList<>();
        for (int term = random.nextInt(3); term > 0; term--) {
            List<NodeRequirement> all = new ArrayList<>();
            for (int i = random.nextInt(2); i >= 0; i--) {
                all.add(requirement(random));
            }
            terms.add(new Term(all));
        }
        List<Toleration> tolerations = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            tolerations.add(toleration(random));
        }
        List<Container> containers = List.of(Container.of("main", resources(random), request));
        return new Pod(PodId.of(name), containers, new NodeSelector(terms), tolerations);
    }

    private static Resources resources(SplittableRandom random) {
        Resources usual = Resources.of(500, 500);
        return switch (random.nextInt(4)) {
            case 0 -> usual.with("rare", 1 + random.nextInt(2));
            case 1 -> usual.with("common", 1).with(random.nextInt(6) == 0 ? "nowhere" : "rare", random.nextInt(2));
            default -> usual;
        };
    }

    private static Toleration toleration(SplittableRandom random) {
        return switch (random.nextInt(12)) {
            case 0 -> Toleration.everything();
            case 1 -> Toleration.exists("own");
            case 2 -> Toleration.exists("team");
            default -> Toleration.equal("team", "t" + random.nextInt(60));
        };
    }

    private static NodeRequirement requirement(SplittableRandom random) {
        String number = Integer.toString(random.nextInt(60) - 30);
        return switch (random.nextInt(10)) {
            case 0, 1 -> NodeRequirement.in("host", "n%03d".formatted(random.nextInt(NODES)));
            case 2 -> NodeRequirement.in("half", "v" + random.nextInt(2));
            case 3 -> NodeRequirement.in("tenth", Integer.toString(random.nextInt(11)));
            case 4 -> new NodeRequirement("number", Operator.GT, List.of(number));
            case 5 -> new NodeRequirement("number", Operator.LT, List.of(number));
            case 6 -> new NodeRequirement("some", Operator.DOES_NOT_EXIST, List.of());
            case 7 -> NodeRequirement.exists("some");
            case 8 -> new NodeRequirement("tenth", Operator.NOT_IN, List.of("1", "2", "2", "3"));
            default -> NodeRequirement.in("some", "v" + random.nextInt(20), "v" + random.nextInt(20));
        };
    }
}
