package io.gpusched.cookbook;

import io.gpusched.decision.Change;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;

/** Says why a pod waits. */
public final class ExplainPending {
    private ExplainPending() {}

    /** Prints the diagnosis of one pod for a person, and the reasons of another for a program. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = MapMyCluster.cluster();

        Pod whole = Pod.of("whole", Resources.of(64_000, 524_288), GpuRequest.exclusive(8));
        if (scheduler.schedule(cluster, whole) instanceof Unschedulable no) {
            System.out.println(no.diagnosis());
        }

        GpuRequest h100 = GpuRequest.exclusive(1, GpuSelector.models("H100"));
        Pod never = Pod.of("never", Resources.of(1_000, 4_096), h100);
        if (scheduler.schedule(cluster, never) instanceof Unschedulable no) {
            System.out.println("could fit later: " + no.couldFitLater() + ", certainty: " + no.certainty());
            for (Reason reason : no.diagnosis().reasons()) {
                System.out.println(reason.code() + " on " + reason.nodeNames());
            }
            System.out.println("nearest remedy: " + no.diagnosis().remedy());
            for (Change.AddNodes add : no.diagnosis().remedy().nodes()) {
                System.out.println(
                        "nodes to add: " + add.count() + ", for " + add.each().gpus());
            }
        }
    }
}
