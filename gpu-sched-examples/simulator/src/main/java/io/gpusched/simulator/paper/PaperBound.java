package io.gpusched.simulator.paper;

import io.gpusched.model.Cluster;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.bound.UpperBound;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** What no policy could exceed on one order of arrival. */
public final class PaperBound {
    private PaperBound() {}

    /** Returns the bound of allocated GPU compute, in percent, when this much had been asked for. */
    public static double allocatedPercent(Workload workload, ArrivalSequence arrivals, int arrivedPercent) {
        List<Pod> pods = new ArrayList<>();
        long limit = workload.gpuMillis() * arrivedPercent / 100;
        long asked = 0;
        for (TracePod pod : arrivals.pods()) {
            asked += pod.totalGpuMillis();
            if (asked > limit) {
                break;
            }
            pods.add(pod.pod());
        }
        return UpperBound.of(Cluster.of(workload.nodes()), pods).percent();
    }
}
