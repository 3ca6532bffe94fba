package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BestFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Refusals are values: any thread may ask for their diagnosis, while the scheduler that made them decides on. */
class DiagnosisThreadTest {
    private static final int NODES = 40;
    private static final int REFUSALS = 400;

    private static Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(Node.builder("n" + i)
                    .capacity(8_000 + i, 16_000)
                    .gpus(4, GpuModel.of("nvidia", "T4", 16_000))
                    .build());
        }
        return Cluster.of(nodes);
    }

    private static Pod pod(String name, int number) {
        return Pod.of(name + number, Resources.of(100 + number % 7, 100), GpuRequest.exclusive(1 + number % 3));
    }

    private static PodGroup group(int number) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < NODES + 1; i++) {
            pods.add(Pod.of("g" + number + "-" + i, Resources.of(100 + number, 100), GpuRequest.exclusive(3)));
        }
        return PodGroup.of("g" + number, pods);
    }

    private static List<Unschedulable> refusals(GpuScheduler scheduler, Cluster cluster) {
        List<Unschedulable> refusals = new ArrayList<>();
        for (int i = 0; i < REFUSALS; i++) {
            refusals.add((Unschedulable) scheduler.schedule(cluster, group(i)));
        }
        return refusals;
    }

    @Test
    void diagnosesOfGroups_areTheSame_whileTheSchedulerDecidesOn() throws Exception {
        Cluster cluster = cluster();
        List<String> alone = refusals(GpuScheduler.of(BestFit.of()), cluster).stream()
                .map(Unschedulable::diagnosis)
                .map(Diagnosis::toString)
                .toList();
        GpuScheduler scheduler = GpuScheduler.of(BestFit.of());
        List<Unschedulable> refused = refusals(scheduler, cluster);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<List<String>> beside = other.submit(() -> refused.stream()
                    .map(Unschedulable::diagnosis)
                    .map(Diagnosis::toString)
                    .toList());
            Cluster now = cluster;
            for (int i = 0; !beside.isDone() || i < 1_000; i++) {
                if (scheduler.schedule(now, pod("p", i)) instanceof Placed placed) {
                    now = now.with(placed.placement());
                } else {
                    now = cluster;
                }
            }
            assertThat(beside.get(1, TimeUnit.MINUTES)).isEqualTo(alone);
        } finally {
            other.shutdownNow();
        }
    }
}
