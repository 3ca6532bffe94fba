package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/** Has decisions judged by the checker, which shares no code with the scheduler. */
public final class CheckAnswers {
    private CheckAnswers() {}

    /** Prints what is wrong with a placement, before and after its node was cordoned. */
    public static void main(String... args) {
        Verifier verifier = Verifier.ofTries(10_000);
        Cluster cluster = MapMyCluster.cluster();
        Pod pod = Pod.of("notebook", Resources.of(1_000, 1_024), GpuRequest.percent(30));
        Decision decision = GpuScheduler.create().schedule(cluster, pod);
        System.out.println("broken: " + verifier.check(cluster, pod, decision));
        if (decision instanceof Placed placed) {
            Cluster since = cluster.withCordoned(placed.placement().node(), true);
            for (Violation violation : verifier.check(since, pod, placed)) {
                System.out.println(violation.law() + ", " + violation.subject() + ": " + violation.words());
            }
        }
        System.out.println("of the cluster: " + verifier.check(cluster));
    }
}
