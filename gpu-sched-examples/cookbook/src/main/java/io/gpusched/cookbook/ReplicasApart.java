package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.List;
import java.util.Map;

/** Keeps replicas on different nodes, and their number even over racks. */
public final class ReplicasApart {
    private ReplicasApart() {}

    /** Prints where four replicas go, and why the fourth does not. */
    public static void main(String... args) {
        LabelSelector web = LabelSelector.label("app", "web");
        PodRules rules = PodRules.NONE
                .withLabels(Map.of("app", "web"))
                .withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(web, NodeRequirement.NAME)))
                .withSpread(TopologySpread.required("rack", 1, web));

        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = MapMyCluster.cluster();
        for (String name : List.of("web-0", "web-1", "web-2", "web-3")) {
            Pod pod = Pod.of(name, Resources.of(1_000, 4_096), GpuRequest.exclusive(1))
                    .withRules(rules);
            Decision decision = scheduler.schedule(cluster, pod);
            if (decision instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                System.out.println(name + " on " + placed.placement().node());
            } else if (decision instanceof Unschedulable no) {
                System.out.println(no.diagnosis());
            }
        }
    }
}
