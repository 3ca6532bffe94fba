package io.gpusched.testkit;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Random machines, small and tight: few GPUs, odd memories (so that percentages round), one of them untracked, few CPUs,
 * few slots and pods, every mode, unhealthy GPUs, cordons, taints and labels.
 */
public final class Nodes {
    /** 333 MiB: no percentage of it but 100 is whole. */
    public static final GpuModel SMALL = GpuModel.of("nvidia", "T4", 333);

    public static final GpuModel BIG = GpuModel.of("nvidia", "A100", 1_000);

    /** So little memory that small percentages of it are nothing. */
    public static final GpuModel TINY = GpuModel.of("amd", "MI8", 50);

    public static final GpuModel UNTRACKED = GpuModel.of("huawei", "910B", 0);

    private Nodes() {}

    /** Clusters of 1 to {@code most} different nodes named n0, n1, ... */
    public static Arbitrary<List<Node>> lists(int most) {
        return nodes().list().ofMinSize(1).ofMaxSize(most).map(Nodes::named);
    }

    /** Larger clusters of few kinds of node, so that classes have many members and trees have inner nodes. */
    public static Arbitrary<List<Node>> herds(int least, int most) {
        Arbitrary<List<Node>> kinds = nodes().list().ofMinSize(1).ofMaxSize(3);
        return kinds.flatMap(
                        kind -> Arbitraries.of(kind).list().ofMinSize(least).ofMaxSize(most))
                .map(Nodes::named);
    }

    private static List<Node> named(List<Node> nodes) {
        List<Node> named = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            named.add(named(nodes.get(i), "n" + i));
        }
        return named;
    }

    /** The same machine under another name, with UUIDs to match. */
    public static Node named(Node node, String name) {
        Node.Builder builder = Node.builder(name)
                .mode(node.mode())
                .capacity(node.capacity())
                .maxPods(node.maxPods())
                .labels(node.labels())
                .topology(node.topology())
                .cordoned(node.cordoned());
        node.taints().forEach(builder::taint);
        for (Gpu gpu : node.gpus()) {
            builder.gpu(new Gpu(
                    gpu.index(),
                    name + "-gpu-" + gpu.index(),
                    gpu.model(),
                    gpu.computeMillis(),
                    gpu.memoryMib(),
                    gpu.slots(),
                    gpu.numaNode(),
                    gpu.healthy()));
        }
        return builder.build();
    }

    /** One machine; its name is a placeholder. */
    public static Arbitrary<Node> nodes() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(1, NodeMode.EXCLUSIVE),
                                Tuple.of(2, NodeMode.SHARED),
                                Tuple.of(4, NodeMode.MIXED)),
                        capacities(),
                        Arbitraries.frequency(Tuple.of(6, 110), Tuple.of(2, 3), Tuple.of(1, 1), Tuple.of(1, 0)),
                        labels(),
                        taints(),
                        topologies(),
                        gpus(),
                        Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true)))
                .as((mode, capacity, pods, labels, taints, topology, gpus, cordoned) -> new Node(
                        "x", mode, capacity, pods, labels, taints, topology, gpus, GpuLinks.NONE, cordoned, List.of()));
    }

    private static Arbitrary<Resources> capacities() {
        Arbitrary<Long> amounts =
                Arbitraries.frequency(Tuple.of(5, 8_000L), Tuple.of(2, 2_000L), Tuple.of(1, 2_010L), Tuple.of(1, 0L));
        Arbitrary<Long> pieces = Arbitraries.frequency(Tuple.of(3, 2L), Tuple.of(1, 0L), Tuple.of(1, 5L));
        return Combinators.combine(amounts, amounts, pieces, pieces)
                .as((cpu, memory, nics, storage) -> Resources.of(cpu, memory)
                        .with("example.com/nic", nics)
                        .with("ephemeral-storage", 10 * storage));
    }

    private static Arbitrary<Map<String, String>> labels() {
        Arbitrary<Map<String, String>> some = Arbitraries.maps(
                        Arbitraries.of("rank", "size"), Arbitraries.of("gold", "1", "2", "10", "-3"))
                .ofMaxSize(2);
        return Arbitraries.frequencyOf(Tuple.of(2, Arbitraries.just(Map.of())), Tuple.of(3, some));
    }

    private static Arbitrary<List<Taint>> taints() {
        Arbitrary<Taint> taint = Combinators.combine(
                        Arbitraries.of("gpu", "team"), Arbitraries.of("a", "b"), Arbitraries.of(Taint.Effect.class))
                .as(Taint::new);
        return Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(List.of())),
                Tuple.of(1, taint.list().ofMaxSize(2)));
    }

    private static Arbitrary<Topology> topologies() {
        return Arbitraries.of(
                Topology.NONE,
                Topology.of("zone", "z1"),
                Topology.of("zone", "z1", "rack", "r2"),
                Topology.of("zone", "z2", "rack", "r1"));
    }

    /** Up to four GPUs, mostly of one kind. */
    private static Arbitrary<List<Gpu>> gpus() {
        Arbitrary<Gpu> gpu = gpu();
        Arbitrary<List<Gpu>> alike = Combinators.combine(
                        gpu, Arbitraries.integers().between(1, 4))
                .as((one, count) -> java.util.Collections.nCopies(count, one));
        Arbitrary<List<Gpu>> mixed = gpu.list().ofMaxSize(4);
        return Arbitraries.frequencyOf(Tuple.of(2, alike), Tuple.of(2, mixed)).map(Nodes::numbered);
    }

    private static List<Gpu> numbered(List<Gpu> gpus) {
        List<Gpu> numbered = new ArrayList<>();
        for (Gpu gpu : gpus) {
            int index = numbered.size();
            numbered.add(new Gpu(
                    index,
                    "gpu-" + index,
                    gpu.model(),
                    gpu.computeMillis(),
                    gpu.memoryMib(),
                    gpu.slots(),
                    gpu.numaNode(),
                    gpu.healthy()));
        }
        return numbered;
    }

    private static Arbitrary<Gpu> gpu() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(4, BIG), Tuple.of(3, SMALL), Tuple.of(1, TINY), Tuple.of(1, UNTRACKED)),
                        Arbitraries.frequency(Tuple.of(6, 1_000), Tuple.of(1, 2_000), Tuple.of(1, 700)),
                        Arbitraries.frequency(Tuple.of(6, 1_000), Tuple.of(1, 2), Tuple.of(1, 1)),
                        Arbitraries.of(-1, 0, 1),
                        Arbitraries.frequency(Tuple.of(9, true), Tuple.of(1, false)))
                .as((model, compute, slots, numa, healthy) ->
                        new Gpu(0, "gpu", model, compute, model.memoryMib(), slots, numa, healthy));
    }
}
