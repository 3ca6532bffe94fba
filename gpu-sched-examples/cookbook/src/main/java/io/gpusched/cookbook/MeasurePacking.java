package io.gpusched.cookbook;

import io.gpusched.analysis.Fragmentation;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.simulator.bound.UpperBound;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/** Tells how good any packing could be, and how much of what is free is of no use. */
public final class MeasurePacking {
    private MeasurePacking() {}

    /** Prints a bound for the cluster and how it is fragmented. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        List<Pod> usual = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            GpuRequest request = i < 24 ? GpuRequest.percent(60) : GpuRequest.exclusive(4);
            usual.add(Pod.of("past-" + i, Resources.of(4_000, 16_384), request));
        }

        System.out.println(UpperBound.of(cluster, usual));
        System.out.println(Fragmentation.of(cluster, WorkloadProfile.of(usual)));
    }
}
