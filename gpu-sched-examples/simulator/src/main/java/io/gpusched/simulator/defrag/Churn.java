package io.gpusched.simulator.defrag;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * A cluster in which pods come and go: pods are drawn from a list and placed by bin-pack; once so much of the GPUs is allocated, a pod
 * that runs ends for each that comes, every one as likely as the other. A pod without room is refused for good.
 */
final class Churn {
    private final Workload workload;
    private final RandomGenerator random;
    private final GpuScheduler scheduler = GpuScheduler.of(BinPack.of());
    private final List<Placement> running = new ArrayList<>();
    private Cluster cluster;

    private Churn(Workload workload, long seed) {
        this.workload = workload;
        this.random = new Well19937c(seed);
        this.cluster = Cluster.of(workload.nodes());
    }

    /**
     * Returns the cluster after so many pods have come.
     *
     * @param fill how much of the GPU compute is allocated, above 0, at most 1
     */
    static Cluster after(Workload workload, double fill, int arrivals, long seed) {
        Churn churn = new Churn(workload, seed);
        long most = (long) (fill * workload.gpuMillis());
        for (int i = 0; i < arrivals; i++) {
            churn.arrive(i);
            while (churn.cluster.totals().usedGpuComputeMillis() > most) {
                churn.depart();
            }
        }
        return churn.cluster;
    }

    private void arrive(int number) {
        List<TracePod> pods = workload.pods();
        TracePod drawn = pods.get(random.nextInt(pods.size()));
        if (scheduler.schedule(cluster, drawn.pod().withId(PodId.of("pod-" + number))) instanceof Placed placed) {
            cluster = cluster.with(placed.placement());
            running.add(placed.placement());
        }
    }

    private void depart() {
        int at = random.nextInt(running.size());
        Placement last = running.remove(running.size() - 1);
        Placement gone = at == running.size() ? last : running.set(at, last);
        cluster = cluster.without(gone);
    }
}
