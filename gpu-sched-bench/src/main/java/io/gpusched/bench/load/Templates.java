package io.gpusched.bench.load;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Full nodes to copy: for each kind of node a few hundred examples, each packed with pods in random order until nothing
 * more fits. Packing a hundred thousand nodes one pod at a time would take longer than the benchmark.
 */
final class Templates {
    private static final int EXAMPLES = 256;
    private static final int GIVE_UP_AFTER = 40;
    private static final long CPU_STEP = 1_000;
    private static final long MEMORY_STEP = 1_024;

    private final Mix mix;
    private final SplittableRandom random;
    private final Map<List<Object>, List<List<Example>>> byKind = new HashMap<>();

    /** A pod of a full node. */
    record Example(int shape, Placement placement) {}

    Templates(Mix mix, SplittableRandom random) {
        this.mix = mix;
        this.random = random;
    }

    /** Returns what fills a node like this one, whatever keeps pods away from it. */
    List<Example> any(Node node) {
        long cpuMillis = node.capacity().cpuMillis() / CPU_STEP * CPU_STEP;
        long memoryMib = node.capacity().memoryMib() / MEMORY_STEP * MEMORY_STEP;
        List<Object> kind = List.of(cpuMillis, memoryMib, node.gpus().size());
        List<List<Example>> examples =
                byKind.computeIfAbsent(kind, unknown -> packed(example(node, cpuMillis, memoryMib)));
        return examples.get(random.nextInt(examples.size()));
    }

    /** A node without taints and labels, a little smaller, so that what fills it fits onto all that are nearly like it. */
    private static Node example(Node node, long cpuMillis, long memoryMib) {
        Node.Builder builder = Node.builder(node.name())
                .mode(node.mode())
                .capacity(cpuMillis, memoryMib)
                .maxPods(node.maxPods());
        node.gpus().forEach(builder::gpu);
        return builder.build();
    }

    private List<List<Example>> packed(Node node) {
        List<List<Example>> examples = new ArrayList<>(EXAMPLES);
        for (int i = 0; i < EXAMPLES; i++) {
            examples.add(pack(node));
        }
        return examples;
    }

    private List<Example> pack(Node node) {
        GpuScheduler scheduler = GpuScheduler.of(FirstFit.of());
        Cluster cluster = Cluster.of(List.of(node));
        List<Example> packed = new ArrayList<>();
        int misses = 0;
        while (misses < GIVE_UP_AFTER) {
            int shape = mix.draw(random);
            if (scheduler.schedule(cluster, mix.shapes().get(shape).pod("p" + packed.size()))
                    instanceof Placed placed) {
                packed.add(new Example(shape, placed.placement()));
                cluster = cluster.with(placed.placement());
                misses = 0;
            } else {
                misses++;
            }
        }
        return packed;
    }
}
