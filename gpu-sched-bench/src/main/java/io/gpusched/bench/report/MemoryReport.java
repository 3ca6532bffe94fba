package io.gpusched.bench.report;

import io.gpusched.bench.load.Churn;
import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Policies;
import io.gpusched.model.Cluster;
import org.openjdk.jol.info.GraphLayout;

/** How much memory a snapshot holds, measured by walking its objects with JOL. */
public final class MemoryReport {
    private MemoryReport() {}

    /** Returns the table for this many nodes of 8 GPUs: without pods, and full of pods of each mix. */
    public static String of(int nodes) {
        // JOL has no other way to find the fields of records, and warns of what it then does without.
        System.setProperty("jol.magicFieldOffset", "true");
        System.setProperty("jol.skipDynamicAttach", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        StringBuilder text = new StringBuilder(
                "| %,d nodes of 8 GPUs | pods | bytes a node | bytes a pod | MiB |%n".formatted(nodes));
        text.append("|---|---:|---:|---:|---:|\n");
        long empty = bytes(Cluster.of(Clusters.uniform(nodes)));
        text.append(row("empty", nodes, 0, empty, 0));
        for (String mix : new String[] {"exclusive1", "mixedTrace"}) {
            Cluster full = Churn.of(Mix.named(mix), Policies.scheduler("binPack"), Clusters.uniform(nodes), 1.0)
                    .cluster();
            long bytes = bytes(full);
            text.append(row(mix, nodes, full.totals().pods(), bytes, bytes - empty));
        }
        return text.toString();
    }

    private static String row(String what, int nodes, int pods, long bytes, long podBytes) {
        return "| %s | %,d | %,d | %s | %,d |%n"
                .formatted(what, pods, bytes / nodes, pods == 0 ? "" : "%,d".formatted(podBytes / pods), bytes >> 20);
    }

    private static long bytes(Cluster cluster) {
        return GraphLayout.parseInstance(cluster).totalSize();
    }
}
