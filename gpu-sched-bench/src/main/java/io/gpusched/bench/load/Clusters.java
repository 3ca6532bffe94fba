package io.gpusched.bench.load;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Machines to schedule on. */
public final class Clusters {
    /** The nodes of the openb cluster: model, memory of a GPU, GPUs, CPU, memory, how many of 1,213. */
    private static final List<Kind> OPENB = List.of(
            new Kind("G2", 24_564, 8, 96_000, 393_216, 549),
            new Kind("T4", 15_360, 2, 104_000, 524_288, 387),
            new Kind("T4", 15_360, 4, 96_000, 393_216, 17),
            new Kind("G3", 81_920, 8, 128_000, 786_432, 39),
            new Kind("P100", 16_384, 1, 8_000, 61_440, 3),
            new Kind("P100", 16_384, 2, 8_000, 61_440, 2),
            new Kind("P100", 16_384, 2, 16_000, 122_880, 107),
            new Kind("P100", 16_384, 2, 64_000, 262_144, 22),
            new Kind("V100M32", 32_768, 8, 96_000, 786_432, 21),
            new Kind("V100M32", 32_768, 4, 48_000, 376_832, 9),
            new Kind("V100M16", 16_384, 1, 8_000, 32_768, 19),
            new Kind("V100M16", 16_384, 4, 32_000, 131_072, 28),
            new Kind("V100M16", 16_384, 8, 64_000, 262_144, 7),
            new Kind("V100M16", 16_384, 8, 82_000, 344_064, 1),
            new Kind("A10", 24_564, 1, 128_000, 1_048_576, 2));

    private record Kind(String model, long gpuMemoryMib, int gpus, long cpuMillis, long memoryMib, int nodes) {
        Node node(String name, Topology topology) {
            return Node.builder(name)
                    .capacity(cpuMillis, memoryMib)
                    .topology(topology)
                    .gpus(gpus, GpuModel.of("nvidia", model, gpuMemoryMib))
                    .build();
        }
    }

    private Clusters() {}

    /** Returns nodes of 96 cores, 384 GiB and 8 GPUs, in racks of 64. */
    public static List<Node> uniform(int nodes) {
        return uniform(nodes, rack -> 64);
    }

    /** Returns nodes of 96 cores, 384 GiB and 8 GPUs, in racks of as many as {@code size} says for each rack. */
    public static List<Node> uniform(int nodes, IntUnaryOperator size) {
        List<Node> all = new ArrayList<>(nodes);
        for (int rack = 0; all.size() < nodes; rack++) {
            Topology topology = Topology.of("rack", "r%05d".formatted(rack));
            for (int k = size.applyAsInt(rack); k > 0 && all.size() < nodes; k--) {
                all.add(OPENB.get(0).node(name(all.size()), topology));
            }
        }
        return all;
    }

    /** Returns nodes of 96 cores, 384 GiB and 8 GPUs of 40 GB that are cut into MIG partitions on demand, in racks of 64. */
    public static List<Node> partitioned(int nodes) {
        List<Node> all = new ArrayList<>(nodes);
        GpuModel model = GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960);
        for (Node machine : uniform(nodes)) {
            Node.Builder node =
                    Node.builder(machine.name()).capacity(machine.capacity()).topology(machine.topology());
            for (int g = 0; g < machine.gpus().size(); g++) {
                node.gpu(Gpu.of(g, machine.gpus().get(g).uuid(), model)
                        .withPartitions(MigGeometry.A100_40GB.geometry()));
            }
            all.add(node.build());
        }
        return all;
    }

    /** Returns such nodes in blocks of 2,048, in each 16 racks of 128, in each 8 NVLink domains of 16. */
    public static List<Node> inBlocks(int nodes) {
        List<Node> all = new ArrayList<>(nodes);
        for (int n = 0; n < nodes; n++) {
            Topology topology = Topology.of(
                    "block",
                    "b%02d".formatted(n >> 11),
                    "rack",
                    "r%02d".formatted(n >> 7 & 15),
                    "nvlink",
                    "d" + (n >> 4 & 7));
            all.add(OPENB.get(0).node(name(n), topology));
        }
        return all;
    }

    /** Of six digits, so that names stand in the order of numbers; a format would take longer than all else here. */
    private static String name(int node) {
        return "n" + String.valueOf(1_000_000 + node).substring(1);
    }

    /** Returns nodes of the 15 kinds of the openb cluster in their proportions; exactly that cluster for 1,213. */
    public static List<Node> openb(int nodes) {
        List<Kind> deck = new ArrayList<>();
        OPENB.forEach(kind -> deck.addAll(java.util.Collections.nCopies(kind.nodes(), kind)));
        java.util.Collections.shuffle(deck, new java.util.Random(1));
        List<Node> all = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            all.add(deck.get(i % deck.size()).node(name(i), Topology.NONE));
        }
        return all;
    }
}
