package io.gpusched.cookbook;

import io.gpusched.json.JsonFormat;
import io.gpusched.model.Cluster;
import io.gpusched.workload.Pod;
import java.util.List;

/** Writes a cluster as JSON and reads it again. */
public final class SaveAndLoad {
    private SaveAndLoad() {}

    /** Prints what is saved of one pod, and whether what is loaded is the same cluster. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        String saved = JsonFormat.CLUSTER.write(cluster);
        Cluster loaded = JsonFormat.CLUSTER.read(saved);
        System.out.println(JsonFormat.PLACEMENT.write(cluster.placements().get(0)));
        System.out.println("same pods: " + loaded.placements().equals(cluster.placements()));
        System.out.println("that ask the same: " + asked(loaded).equals(asked(cluster)));
        System.out.println("same totals: " + loaded.totals().equals(cluster.totals()));
    }

    private static List<Pod> asked(Cluster cluster) {
        return cluster.placements().stream()
                .flatMap(held -> Pod.of(held).stream())
                .toList();
    }
}
