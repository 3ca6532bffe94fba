package io.gpusched.cookbook;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Starts sixteen workers, eight in each NVLink domain and all in one block. */
public final class EightPerNvlinkDomain {
    private EightPerNvlinkDomain() {}

    /** Prints how many workers start on each node. */
    public static void main(String... args) {
        List<Pod> workers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            workers.add(Pod.of("worker-" + i, Resources.of(8_000, 65_536), GpuRequest.exclusive(1)));
        }
        PodGroup job = PodGroup.of("job", workers).withSlices(8, "nvlink").withLocality(Locality.within("block"));

        if (GpuScheduler.create().schedule(cluster(), job) instanceof GroupPlaced placed) {
            TreeMap<String, Integer> byNode = new TreeMap<>();
            placed.placements().forEach(placement -> byNode.merge(placement.node(), 1, Integer::sum));
            System.out.println(byNode);
        }
    }

    /** Block b1 has 24 GPUs, but only one domain with room for eight. */
    private static Cluster cluster() {
        return Cluster.of(List.of(
                tray("b1-d1-t1", "b1", "d1", 6),
                tray("b1-d2-t1", "b1", "d2", 6),
                tray("b1-d3-t1", "b1", "d3", 12),
                tray("b2-d1-t1", "b2", "d1", 4),
                tray("b2-d1-t2", "b2", "d1", 4),
                tray("b2-d2-t1", "b2", "d2", 4),
                tray("b2-d2-t2", "b2", "d2", 6)));
    }

    private static Node tray(String name, String block, String domain, int gpus) {
        return Node.builder(name)
                .capacity(144_000, 983_040)
                .topology(Topology.of("block", block, "nvlink", domain))
                .gpus(gpus, GpuModel.of("nvidia", "GB200", 189_440))
                .build();
    }
}
