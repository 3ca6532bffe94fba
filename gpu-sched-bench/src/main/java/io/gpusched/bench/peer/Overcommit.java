package io.gpusched.bench.peer;

import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Shape;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;

/**
 * Eight shares of 60 percent and three whole GPUs on a node with 8 GPUs: the shares take a GPU each, so that no whole one
 * is left. Who counts GPUs as one number sees 4.8 of 8 taken and lets all eleven in.
 */
public final class Overcommit {
    /** How many shares come first; all fit. */
    public static final int SHARES = 8;
    /** How many whole GPUs come then; none fits. */
    public static final int WHOLE = 3;

    private static final Resources SMALL = new Resources(1_000, 1_024);

    private Overcommit() {}

    /** Returns how many of the eleven Fenzo places. */
    public static int acceptedByFenzo() {
        Shape shape = new Shape(SMALL, GpuRequest.percent(60), 1);
        try (FenzoCluster fenzo = new FenzoCluster(shape, 1, 96, 393_216)) {
            return fenzo.place(SHARES, 0.6) + fenzo.place(WHOLE, 1);
        }
    }

    /** Returns how many of the eleven gpu-sched places. */
    public static int acceptedByGpuSched() {
        int accepted = 0;
        Cluster cluster = Cluster.of(Clusters.uniform(1));
        for (int i = 0; i < SHARES + WHOLE; i++) {
            if (decide(cluster, i) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                accepted++;
            }
        }
        return accepted;
    }

    private static Decision decide(Cluster cluster, int i) {
        GpuRequest request = i < SHARES ? GpuRequest.percent(60) : GpuRequest.exclusive(1);
        return GpuScheduler.create().schedule(cluster, new Shape(SMALL, request, 1).pod("pod-" + i));
    }

    /** Returns what came of it, in words. */
    public static String report() {
        return "Eight shares of 60 % and three whole GPUs on 8 devices: Fenzo places " + acceptedByFenzo()
                + " of 11, gpu-sched places " + acceptedByGpuSched() + ", the shares.";
    }
}
