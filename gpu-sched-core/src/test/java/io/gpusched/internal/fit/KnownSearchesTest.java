package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.CrowdedNode;
import io.gpusched.testkit.PartitionWorld;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.testkit.StressCase;
import io.gpusched.testkit.Wiring;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What some hundred searches answer and what they cost, to the step. The budget of a decision is counted in steps, so a search
 * that takes more of them may answer otherwise; and a bound that has become weaker shows in nothing else.
 */
class KnownSearchesTest {
    private static final Path COMMITTED = Path.of("src/test/resources/known-searches.txt");
    private static final String UPDATE = "gpusched.searches.update";
    private static final long BUDGET = 30_000;

    private static final List<PlacementPolicy> POLICIES = List.of(
            BinPack.of(),
            FirstFit.of(),
            Spread.of(),
            new StressCase.HighestFirst(true),
            new StressCase.HighestFirst(false),
            new Tightest(true),
            new Tightest(false));

    /** Goes through the GPUs with room from the fullest that it is shown, and names two of three partitions, on the last GPU first. */
    private record Tightest(boolean namesAllPartitions) implements PlacementPolicy, DeviceOrder {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return -after.freeComputeMillis(0);
        }

        @Override
        public Optional<DeviceOrder> deviceOrder() {
            return Optional.of(this);
        }

        @Override
        public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
            return IntStream.range(0, node.gpuCount())
                    .filter(g -> node.freeComputeMillis(g) > 0)
                    .boxed()
                    .sorted(Comparator.comparing(g -> node.freeComputeMillis(g) + 50 * earlier.size() * (g % 2)))
                    .mapToInt(g -> g)
                    .toArray();
        }

        @Override
        public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
            GpuRequest.Partition request = (GpuRequest.Partition) container.gpu();
            List<GpuPartition> named = new ArrayList<>();
            for (int g = node.gpuCount() - 1; g >= 0; g--) {
                PartitionTable table = node.nodeClass().partitions(g);
                int name = table == null ? -1 : table.name(request.profile());
                for (int place : table == null || name < 0 ? new int[0] : table.placesOf(name)) {
                    if ((place + earlier.size()) % 3 > 0 && named.size() < request.instances()) {
                        named.add(new GpuPartition(
                                g,
                                request.profile(),
                                table.start(place),
                                table.profile(place).mode()));
                    }
                }
            }
            return named;
        }
    }

    @Test
    void searches_answerAndCostWhatTheyDidBefore() throws IOException {
        if (Boolean.getBoolean(UPDATE)) {
            List<String> lines = new ArrayList<>();
            play(lines::add);
            Files.write(COMMITTED, lines);
        }
        List<String> committed = Files.readAllLines(COMMITTED);
        int[] at = {0};
        play(line -> assertThat(line)
                .as("""
                    line %d of %s: a search answers otherwise, or costs other steps. If the change is meant and no dearer, run
                        mvn -q -o test -pl gpu-sched-core -Dtest=KnownSearchesTest -D%s=true
                    and commit the file, so that the change is seen in review.\
                    """, at[0] + 1, COMMITTED, UPDATE)
                .isEqualTo(at[0] < committed.size() ? committed.get(at[0]++) : ""));
        assertThat(at[0]).isEqualTo(committed.size());
    }

    private static void play(Consumer<String> sink) {
        for (int seed = 0; seed < 40; seed++) {
            CrowdedNode crowded = new CrowdedNode(seed);
            play("crowded " + seed, new PodDemand(crowded.pod()), crowded.node(), sink);
        }
        for (int seed = 0; seed < 40; seed++) {
            PartitionWorld world = new PartitionWorld(seed);
            play("partitions " + seed, world.cluster(), List.of(world.pod(0), world.pod(1), world.pod(2)), sink);
        }
        for (int seed = 0; seed < 30; seed++) {
            SmallWorld world = new SmallWorld(seed);
            play("small " + seed, world.cluster(2), List.of(world.pod(), world.pod()), sink);
        }
        Random random = new Random(0);
        for (int i = 0; i < 45; i++) {
            StressCase hard = StressCase.of(random);
            if (hard.parts().size() <= 40) {
                play("hard " + i, new PodDemand(hard.pod()), hard.cluster().node(0), sink);
            }
        }
        for (int i = 0; i < 20; i++) {
            List<Pod> pods = List.of(cutPod(random), cutPod(random), cutPod(random));
            play("cut " + i, Cluster.of(List.of(cutNode(1 + i % 2))), pods, sink);
        }
        for (int gpus = 8; gpus <= 40; gpus += 2) {
            links(gpus, sink);
        }
    }

    private static Node cutNode(int gpus) {
        Node.Builder node = Node.builder("n").capacity(100, 100).maxPods(10);
        for (int g = 0; g < gpus; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, GpuModel.of("nvidia", "A100", 81_920))
                    .withNumaNode(g / 2)
                    .withPartitions(MigGeometry.A100_80GB.geometry()));
        }
        return node.build();
    }

    /** A pod of containers of every kind that ask for partitions, which init containers share with those that start later. */
    private static Pod cutPod(Random random) {
        List<String> profiles = List.of("1g.10gb", "2g.20gb", "3g.40gb", "1g.10gb");
        Pod.Builder pod = Pod.builder("p" + random.nextInt(1_000_000));
        for (int c = 2 + random.nextInt(4); c > 0; c--) {
            ContainerKind kind = ContainerKind.values()[random.nextInt(3)];
            GpuRequest request = random.nextInt(8) == 0
                    ? GpuRequest.percent(10 * (1 + random.nextInt(5)))
                    : GpuRequest.partition(profiles.get(random.nextInt(4)), 1 + random.nextInt(2));
            pod.container(new Container("c" + c, kind, Resources.NONE, request));
        }
        return pod.build();
    }

    /** Plays pods one after the other, each on a cluster on which those before it run. */
    private static void play(String name, Cluster start, List<Pod> pods, Consumer<String> sink) {
        Cluster cluster = start;
        for (Pod pod : pods) {
            PodDemand demand = new PodDemand(pod);
            Placement taken = null;
            for (NodeState node : cluster.nodes()) {
                play(name + " " + pod.id().name() + " " + node.name(), demand, node, sink);
                if (taken == null && FitRule.atAll(demand, node) == null) {
                    LayoutSearch.Found found = LayoutSearch.best(demand, node, BinPack.of(), SearchSteps.of(BUDGET));
                    taken = found == null ? null : found.placement();
                }
            }
            cluster = taken == null ? cluster : cluster.with(taken);
        }
    }

    private static void play(String name, PodDemand demand, NodeState node, Consumer<String> sink) {
        sink.accept(name + ": " + known(demand, node));
        if (FitRule.atAll(demand, node) != null) {
            return;
        }
        for (PlacementPolicy policy : POLICIES) {
            SearchSteps steps = SearchSteps.of(BUDGET);
            LayoutSearch.Found found = LayoutSearch.best(demand, node, policy, steps);
            sink.accept("  " + POLICIES.indexOf(policy) + ": "
                    + (found == null ? "none" : found.score() + " " + gpus(found.placement())) + spent(steps));
        }
        SearchSteps steps = SearchSteps.of(BUDGET);
        int[] ways = {0, 0};
        LayoutSearch.forEach(
                demand,
                node,
                List.of(GpuRequest.percent(10)),
                way -> {
                    ways[0]++;
                    ways[1] = 31 * ways[1] + gpus(way).hashCode();
                },
                steps);
        sink.accept("  " + ways[0] + " ways " + Integer.toHexString(ways[1]) + spent(steps));
    }

    /** What is said of a pod without looking for a layout. */
    private static String known(PodDemand demand, NodeState node) {
        StringBuilder known = new StringBuilder();
        known.append(FitRule.atAll(demand, node) == null ? "here, " : "");
        known.append(LayoutCount.isQuick(demand, node.nodeClass()) ? "quick, " : "");
        known.append(LayoutCount.leastSteps(demand, node)).append(" steps, ");
        known.append(PodCapacity.isExact(demand) ? "exactly " : "about ");
        known.append(PodCapacity.of(demand, node)).append(" of ").append(PodCapacity.atMost(demand, node));
        if (demand.needsPartitions()) {
            SearchSteps steps = SearchSteps.of(BUDGET);
            known.append(", partitions ").append(PartitionFit.mayServe(demand, node.nodeClass()));
            known.append(' ').append(PartitionFit.hasRoom(demand, node));
            known.append(' ').append(PartitionFit.fewest(demand, node));
            known.append(' ').append(PartitionFit.mostAsked(demand));
            known.append(' ').append(PartitionFit.mayServe(demand, node, steps)).append(spent(steps));
            for (GpuRequest.Partition request : demand.partitions()) {
                GpuPartition best = PartitionFit.best(request, node, -1L >>> Long.SIZE - node.gpuCount(), -1);
                known.append("; ").append(best == null ? "none" : best);
                known.append(' ').append(PartitionFit.levels(request, List.of(node.nodeClass())));
                for (int level = 0; level < PartitionTable.LEVELS; level++) {
                    known.append(PartitionFit.hasRoomAt(request, node, level) ? " " + level : "");
                }
            }
        }
        return known.toString();
    }

    private static String spent(SearchSteps steps) {
        return ", " + (BUDGET - steps.left()) + (steps.isReached() ? " steps, cut short" : " steps");
    }

    /** What each container gets, in the pod's order. */
    private static String gpus(Placement placement) {
        return placement.containers().stream()
                .map(grant -> grant.gpus() instanceof GpuGrant.Partitions cut
                        ? cut.partitions().toString().replace("GpuPartition", "")
                        : grant.gpus().indexes().toString())
                .collect(Collectors.joining(""));
    }

    /** Which GPUs are picked by their links, and at what cost. */
    private static void links(int gpus, Consumer<String> sink) {
        Random random = new Random(gpus);
        Node.Builder node = Node.builder("n");
        for (int g = 0; g < gpus; g++) {
            node.gpu(
                    Gpu.of(g, "gpu-" + g, GpuModel.of("NVIDIA", "A100", 40_960)).withNumaNode(random.nextInt(3)));
        }
        NodeClass nodeClass =
                NodeClass.of(node.links(Wiring.random(random, gpus)).build());
        long available = random.nextLong() & -1L >>> Long.SIZE - gpus;
        long included = Long.lowestOneBit(available);
        for (Bond bond : Bond.values()) {
            for (int count = 2; count <= 5; count++) {
                SearchSteps steps = SearchSteps.of(BUDGET);
                GpuAffinity affinity = GpuAffinity.requiring(bond);
                long any = LinkSets.pick(nodeClass, affinity, available, count, steps);
                long with = LinkSets.pick(nodeClass, affinity, available, included, count, steps);
                sink.accept("links " + gpus + " " + bond + " " + count + ": " + Long.toHexString(any) + " "
                        + Long.toHexString(with) + spent(steps) + " "
                        + LinkSets.matter(nodeClass, affinity, count));
            }
        }
    }
}
