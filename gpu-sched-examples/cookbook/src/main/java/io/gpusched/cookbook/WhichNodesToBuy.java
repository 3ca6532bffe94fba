package io.gpusched.cookbook;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Counts how many nodes of each kind would have to be bought so that all that waits could start. */
public final class WhichNodesToBuy {
    private static final int MOST = 64;

    private WhichNodesToBuy() {}

    /** Prints for each kind how many nodes are enough. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        Pod large = Pod.of("large", Resources.of(64_000, 262_144), GpuRequest.exclusive(8));
        Pod small = Pod.of("small", Resources.of(8_000, 32_768), GpuRequest.exclusive(2));
        PodGroup waiting = PodGroup.of(
                "waiting",
                IntStream.range(0, 12)
                        .mapToObj(i -> (i < 4 ? large : small).withId(PodId.of("w" + i)))
                        .toList());

        System.out.println("8 H100, 192 cores: " + enough(cluster, waiting, name -> node(name, 8, "H100", 192_000)));
        System.out.println("8 H100,  48 cores: " + enough(cluster, waiting, name -> node(name, 8, "H100", 48_000)));
        System.out.println("4 L40S,  64 cores: " + enough(cluster, waiting, name -> node(name, 4, "L40S", 64_000)));
    }

    private static Node node(String name, int gpus, String model, long cpuMillis) {
        return Node.builder(name)
                .capacity(cpuMillis, 1_048_576)
                .gpus(gpus, GpuModel.of("nvidia", model, 81_920))
                .build();
    }

    private static String enough(Cluster cluster, PodGroup waiting, Function<String, Node> kind) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster grown = cluster;
        for (int count = 0; count <= MOST; count++) {
            if (scheduler.schedule(grown, waiting) instanceof GroupPlaced) {
                return count + " nodes";
            }
            grown = grown.withNode(kind.apply("new-" + count));
        }
        return "no number of them is enough";
    }
}
