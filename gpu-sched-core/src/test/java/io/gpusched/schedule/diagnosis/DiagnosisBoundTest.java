package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a diagnosis takes is bounded, whatever is asked on however many nodes. */
class DiagnosisBoundTest {
    private static final int NODES = 10_000;

    /** Nodes of eight GPUs, each of which has a part taken that differs from node to node. */
    private static Cluster cluster() {
        Random random = new Random(1);
        List<Node> nodes = new ArrayList<>();
        List<Placement> running = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Node.Builder node = Node.builder("n" + i).capacity(64_000, 64_000);
            List<GpuShare> shares = new ArrayList<>();
            for (int g = 0; g < 8; g++) {
                node.gpu(Gpu.of(g, i + "-" + g, GpuModel.of("nvidia", "A100", 40_000))
                        .withSlots(1_000));
                shares.add(new GpuShare(g, 160 + random.nextInt(80), 100, 1));
            }
            nodes.add(node.build());
            running.add(new Placement(
                    PodId.of("r" + i),
                    "n" + i,
                    Resources.of(100, 100),
                    List.of(ContainerGrant.of("main", new GpuGrant.Shared(shares)))));
        }
        return Cluster.of(nodes, running);
    }

    private static Unschedulable refusal(Pod pod) {
        return (Unschedulable) GpuScheduler.create().schedule(cluster(), pod);
    }

    private static Pod pod(int containers, Function<Integer, GpuRequest> request) {
        Pod.Builder pod = Pod.builder("p");
        for (int i = 0; i < containers; i++) {
            pod.container("c" + i, Resources.of(1, 1), request.apply(i));
        }
        return pod.build();
    }

    @Test
    void aThousandContainers_areDiagnosedOnTenThousandNodes() {
        Unschedulable refusal = refusal(pod(1_000, i -> GpuRequest.share(5 + i % 5, GpuMemory.none())));

        assertThat(refusal.diagnosis().reasons())
                .as("nodes on which the layout was not looked for to the end")
                .anyMatch(reason -> reason.code() == Reason.Code.SEARCH_LIMIT && reason.nodes() > NODES / 2);
    }

    @Test
    void containersThatAreHardToLayOut_areDiagnosedOnTenThousandNodes() {
        Unschedulable refusal = refusal(pod(
                24,
                i -> i < 18
                        ? GpuRequest.share(201 + 7 * i, GpuMemory.none())
                        : GpuRequest.share(221 + i, GpuMemory.none()).withCount(2)));

        assertThat(refusal.diagnosis().reasons())
                .as("nodes on which the layout was not looked for to the end")
                .anyMatch(reason -> reason.code() == Reason.Code.SEARCH_LIMIT && reason.nodes() > NODES / 2);
    }
}
