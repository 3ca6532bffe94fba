package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests that no node can serve are not answered with the advice to add one. */
class ContradictionTest {
    private static final Resources SMALL = Resources.of(1_000, 1_000);

    private static Node.Builder node(String name, int gpus) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(gpus, GpuModel.of("nvidia", "A100", 1_000));
    }

    private static Diagnosis diagnosis(Cluster cluster, Pod pod) {
        return ((Unschedulable) GpuScheduler.create().schedule(cluster, pod)).diagnosis();
    }

    private static Pod asking(GpuRequest request) {
        return Pod.of("p", SMALL, request);
    }

    @Test
    void whatNoNodeCanBe_hasNoRemedyThatAddsOne() {
        Cluster cluster = Cluster.of(List.of(node("n1", 4).label("zone", "a").build()));
        GpuSelector none = GpuSelector.models("H100").withDeniedModels(Set.of("H100"));
        assertThat(diagnosis(cluster, asking(GpuRequest.exclusive(1, none)))
                        .remedy()
                        .changes())
                .isEmpty();
        GpuSelector oneUuid = GpuSelector.ANY.withAllowedUuids(Set.of("u"));
        assertThat(diagnosis(cluster, asking(GpuRequest.exclusive(2, oneUuid)))
                        .remedy()
                        .changes())
                .isEmpty();
        assertThat(diagnosis(cluster, asking(GpuRequest.exclusive(1, oneUuid)))
                        .remedy()
                        .toString())
                .startsWith("add a node");
        NodeSelector selector = NodeSelector.all(
                NodeRequirement.in("disk", "ssd", "hdd"),
                new NodeRequirement("disk", NodeRequirement.Operator.NOT_IN, List.of("ssd")));
        assertThat(diagnosis(Cluster.of(List.of()), selecting(selector))
                        .remedy()
                        .toString())
                .startsWith("add a node");
        assertThat(diagnosis(
                                Cluster.of(List.of()),
                                selecting(selector.and(NodeSelector.all(
                                        new NodeRequirement("disk", NodeRequirement.Operator.NOT_IN, List.of("hdd"))))))
                        .remedy()
                        .changes())
                .isEmpty();
        NodeRequirement above = new NodeRequirement("cores", NodeRequirement.Operator.GT, List.of("7"));
        assertThat(diagnosis(
                                Cluster.of(List.of()),
                                selecting(NodeSelector.all(
                                        above,
                                        new NodeRequirement("cores", NodeRequirement.Operator.LT, List.of("9")))))
                        .remedy()
                        .toString())
                .startsWith("add a node");
        assertThat(diagnosis(
                                Cluster.of(List.of()),
                                selecting(NodeSelector.all(
                                        above,
                                        new NodeRequirement("cores", NodeRequirement.Operator.LT, List.of("8")))))
                        .remedy()
                        .changes())
                .isEmpty();
    }

    private static Pod selecting(NodeSelector selector) {
        return Pod.builder("p")
                .container("main", SMALL, GpuRequest.none())
                .nodeSelector(selector)
                .build();
    }

    @Test
    void moreComputeThanAWholeGpu_isNotCalledSeveralGpus() {
        Diagnosis diagnosis = diagnosis(
                Cluster.of(List.of(node("n1", 4).build())), asking(GpuRequest.share(2_000, GpuMemory.none())));
        assertThat(diagnosis.toString())
                .contains("asked 2000m compute of one GPU")
                .doesNotContain("asked 2 GPUs");
    }
}
