package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Schedulers on virtual threads, a scheduler for each, all of them on one snapshot. */
class VirtualThreadsTest {
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void schedulersOnVirtualThreads_decideAsOnOneThread() throws Exception {
        Cluster cluster = cluster();
        List<String> expected = decisions(cluster);
        // by name: the tests are compiled for 17
        try (var executor = new Closing((ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null))) {
            List<Callable<List<String>>> runs = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                runs.add(() -> decisions(cluster));
            }
            for (Future<List<String>> run : executor.service().invokeAll(runs)) {
                assertThat(run.get()).isEqualTo(expected);
            }
        }
    }

    private record Closing(ExecutorService service) implements AutoCloseable {
        @Override
        public void close() {
            service.shutdown();
        }
    }

    private static Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            nodes.add(Node.builder("n" + i)
                    .capacity(64_000, 262_144)
                    .gpus(8, GpuModel.of("nvidia", "A100", 81_920))
                    .build());
        }
        return Cluster.of(nodes);
    }

    private static List<String> decisions(Cluster empty) {
        GpuScheduler scheduler = GpuScheduler.create();
        List<String> decisions = new ArrayList<>();
        Cluster cluster = empty;
        for (int i = 0; i < 60; i++) {
            GpuRequest gpus = i % 3 == 0 ? GpuRequest.exclusive(1 + i % 8) : GpuRequest.percent(10 + i);
            Decision decision = scheduler.schedule(cluster, Pod.of("p" + i, Resources.of(1_000, 1_024), gpus));
            decisions.add(decision.toString());
            cluster = decision.toPlacement().map(cluster::with).orElse(cluster);
        }
        return decisions;
    }
}
